import { type Context, Hono } from "hono";
import { PmcoderError } from "../domain/errors.ts";
import { type Html, html, type Value } from "../domain/html.ts";
import { choiceMain, compareMain } from "./compare-page.ts";
import { compare } from "./comparison.ts";
import { documentHtml, servedHead } from "./document.ts";
import { episodeMain, searchHtml } from "./episode-page.ts";
import { type Assets, exportedComparison, exportedEpisode } from "./export.ts";
import { filterFrom } from "./filter.ts";
import type { Follower } from "./follower.ts";
import { layoutFor, wholeLayout } from "./layout.ts";
import type { Entry, Library } from "./library.ts";
import { streamEpisode } from "./live-stream.ts";
import { OpenEpisodes } from "./open-episodes.ts";
import { titleOf } from "./overview-html.ts";
import { runsMain } from "./runs-page.ts";
import { stepHtml } from "./step-html.ts";

/** How long a page waits for plan and memory before it is sent as far as it is (our choice). */
const patienceMs = 400;

/** The pages of a library; `until` ends the streams that are open. */
export function viewerRoutes(library: Library, assets: Assets, until: AbortSignal): Hono {
  const routes = new Hono();
  const open = new OpenEpisodes(library);
  routes.onError((error, context) => {
    const known = error instanceof PmcoderError;
    const text = known ? error.message : `The page could not be made: ${error.message}`;
    return page(context, "Not to be shown", html`<h1>Not to be shown</h1><p>${text}</p>`, {}, 500);
  });
  routes.notFound((context) => missing(context));
  routes.get("/assets/style.css", (context) => {
    context.header("content-type", "text/css; charset=utf-8");
    return context.body(assets.style);
  });
  routes.get("/assets/viewer.js", (context) => {
    context.header("content-type", "text/javascript; charset=utf-8");
    return context.body(assets.script);
  });
  routes.get("/favicon.ico", (context) => context.body(null, 204));
  routes.get("/", async (context) => {
    const filter = filterFrom(new URL(context.req.url).searchParams);
    return page(context, "Episodes", runsMain(await library.list(), filter));
  });
  routes.get("/episode/:key", (context) => episodePage(context, library, open));
  routes.get("/episode/:key/step/:step", (context) => stepPage(context, open));
  routes.get("/episode/:key/stream", (context) => streamEpisode(context, open, until));
  routes.get("/episode/:key/export", (context) => episodeFile(context, open, assets));
  routes.get("/compare", (context) => comparePage(context, library, open));
  routes.get("/compare/export", (context) => comparisonFile(context, open, assets));
  return routes;
}

/** `more`: what stands in the bar beside the way home. */
function page(
  context: Context,
  title: string,
  main: Html,
  more: { readonly links?: Value; readonly search?: boolean } = {},
  status: 200 | 404 | 500 = 200,
) {
  const { links, search = false } = more;
  const bar = html`<nav aria-label="Site"><a class="brand" href="/">pmcoder</a>${links}</nav>${search && searchHtml}`;
  const text = documentHtml({ title: `${title} · pmcoder`, head: servedHead, bar, main });
  return context.html(text, status);
}

function missing(context: Context) {
  const main = html`<h1>Not here</h1><p>There is no such page. <a href="/">All episodes</a></p>`;
  return page(context, "Not here", main, {}, 404);
}

async function episodePage(context: Context, library: Library, open: OpenEpisodes) {
  const key = context.req.param("key") ?? "";
  const follower = await open.follow(key);
  if (follower === null) return missing(context);
  await follower.work(follower.isFar ? 0 : patienceMs);
  const view = follower.view();
  const layout = layoutFor(view, `/episode/${key}/step/`);
  const live = follower.isOpen
    ? `/episode/${key}/stream?page=${open.note(key, view, layout)}`
    : null;
  const links = neighbourLinks(await library.list(), key);
  return page(context, titleOf(view.recording), episodeMain(view, layout, live), {
    links,
    search: true,
  });
}

/** One step with its texts to the end. */
async function stepPage(context: Context, open: OpenEpisodes) {
  const key = context.req.param("key") ?? "";
  const follower = await open.follow(key);
  const view = follower?.view();
  const step = view?.steps.find(({ turn }) => String(turn.index) === context.req.param("step"));
  if (view === undefined || step === undefined) return missing(context);
  const title = `${titleOf(view.recording)}, step ${step.turn.index}`;
  const links = html`<a href="/episode/${key}#step-${step.turn.index}">Back to the episode</a>`;
  const main = html`<h1>${title}</h1>${stepHtml(step, wholeLayout(view))}`;
  return page(context, title, main, { links });
}

/** Where `h`, `l` and `d` lead. */
function neighbourLinks(entries: readonly Entry[], key: string): Value {
  const at = entries.findIndex((entry) => entry.key === key);
  const [before, after] = [entries[at - 1], entries[at + 1]];
  return html`${at > 0 && before && html`<a rel="prev" href="/episode/${before.key}">← <span class="wide">${before.title}</span></a>`}${
    after &&
    html`<a rel="next" href="/episode/${after.key}"><span class="wide">${after.title}</span> →</a>`
  }<a id="compare" href="/compare?with=${key}">Compare</a><a href="/episode/${key}/export" download>Export</a>`;
}

async function comparePage(context: Context, library: Library, open: OpenEpisodes) {
  const [one = "", other] = context.req.queries("with") ?? [];
  const left = await open.follow(one);
  if (left === null) return missing(context);
  if (other === undefined) {
    const entries = await library.list();
    const entry = entries.find(({ key }) => key === one);
    return entry ? page(context, "Compare", choiceMain(entry, entries)) : missing(context);
  }
  const right = await open.follow(other);
  if (right === null) return missing(context);
  await finish(left, right);
  const links = html`<a href="/episode/${one}">Left</a><a href="/episode/${other}">Right</a><a href="/compare/export?with=${one}&amp;with=${other}" download>Export</a>`;
  const [view, beside] = [left.view(), right.view()];
  const { cap } = layoutFor(view.steps.length > beside.steps.length ? view : beside, "");
  return page(context, "Comparison", compareMain(compare(view, beside), { cap }), {
    links,
    search: true,
  });
}

async function finish(...followers: readonly Follower[]): Promise<void> {
  for (const follower of followers) {
    while (follower.isBehind) await follower.work(patienceMs);
  }
}

async function episodeFile(context: Context, open: OpenEpisodes, assets: Assets) {
  const key = context.req.param("key") ?? "";
  const follower = await open.follow(key);
  if (follower === null) return missing(context);
  await finish(follower);
  return file(context, `${key}.html`, exportedEpisode(follower.view(), assets));
}

async function comparisonFile(context: Context, open: OpenEpisodes, assets: Assets) {
  const [one = "", other = ""] = context.req.queries("with") ?? [];
  const [left, right] = [await open.follow(one), await open.follow(other)];
  if (left === null || right === null) return missing(context);
  await finish(left, right);
  const text = exportedComparison(left.view(), right.view(), assets);
  return file(context, `${one}-and-${other}.html`, text);
}

/** Keys are letters, digits and `-` alone, as far as a library knows them. */
function file(context: Context, name: string, text: string) {
  context.header("content-disposition", `attachment; filename="${name}"`);
  return context.html(text);
}
