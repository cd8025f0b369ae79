import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { PmcoderError } from "../domain/errors.ts";
import { writeWhole } from "../store/files.ts";
import { openJournal } from "../store/sqlite.ts";
import { advanceAll, type EpisodeView, episodeView } from "../viewer/episode-view.ts";
import { type Assets, exportedComparison, exportedEpisode } from "../viewer/export.ts";
import { journalLibrary, type Library } from "../viewer/library.ts";
import { serveViewer, type Viewer } from "../viewer/server.ts";
import { systemClock } from "./compose.ts";
import { settingsOfArgument } from "./config-file.ts";
import type { Io } from "./io.ts";
import { mergeConfig } from "./merge-config.ts";
import { listenForSignals } from "./signals.ts";
import { root } from "./version.ts";
import { choiceText } from "./view-choice.ts";
import type { ViewFlags } from "./view-command.ts";
import { openSources, type Sources } from "./view-sources.ts";

/** Style and script, as they travel with the package. */
function readAssets(): Assets {
  const text = (name: string) => readFileSync(join(root, "assets", "viewer", name), "utf8");
  return { style: `${text("base.css")}\n${text("episode.css")}`, script: text("viewer.js") };
}

/**
 * Serves pages over what was named until Ctrl-C, or writes one page and ends. Returns the exit
 * status. Rejects with PmcoderError `usage` for what is not there.
 */
export async function viewCommand(
  what: readonly string[],
  flags: ViewFlags,
  io: Io,
): Promise<number> {
  const settings = flags.config.flatMap((argument) => settingsOfArgument(argument, io.cwd));
  const { config } = mergeConfig(settings);
  const sources = await openSources(what, flags, { config, io });
  const { library, named } = sources;
  if (flags.export !== undefined) {
    try {
      return await writePage(flags.export, sources, flags, io);
    } finally {
      await library.close();
    }
  }
  const { port } = flags;
  const viewer = await serveViewer({
    library,
    assets: readAssets(),
    ...(port === undefined ? {} : { port }),
  });
  tellAddress(addressOf(viewer, named), flags, io);
  await untilInterrupted(io);
  await viewer.close();
  return 0;
}

/** One episode has a page of its own, two have one beside each other, more have a list. */
function addressOf(viewer: Viewer, named: readonly string[]): string {
  const [one, other, ...more] = named;
  if (one === undefined || more.length > 0) return viewer.urlOf("/");
  return viewer.urlOf(
    other === undefined ? `/episode/${one}` : `/compare?with=${one}&with=${other}`,
  );
}

function tellAddress(url: string, { json }: ViewFlags, io: Io): void {
  if (json) io.stdout.write(`${JSON.stringify({ url })}\n`);
  else io.stderr.write(`${url}\nOpen it in a browser on this machine; Ctrl-C ends it.\n`);
}

async function untilInterrupted(io: Io): Promise<void> {
  const interruption = listenForSignals(io.signals, () => io.leave(130));
  await new Promise<void>((done) => {
    interruption.signal.addEventListener("abort", () => done(), { once: true });
  });
  interruption.release();
}

async function writePage(
  page: string,
  sources: Sources,
  { json }: ViewFlags,
  io: Io,
): Promise<number> {
  const { library, named } = sources;
  const [one, other] = named;
  if (one === undefined || named.length > 2) throw await choiceError(page, sources, io);
  const file = resolve(io.cwd, page);
  const view = await viewFrom(library, one);
  const assets = readAssets();
  const text =
    other === undefined
      ? exportedEpisode(view, assets)
      : exportedComparison(view, await viewFrom(library, other), assets);
  writeWhole(file, text);
  const bytes = Buffer.byteLength(text);
  if (json) io.stdout.write(`${JSON.stringify({ file, bytes })}\n`);
  else io.stderr.write(`${file}: ${Math.ceil(bytes / 1000)} kB, needs no network.\n`);
  return 0;
}

async function choiceError(
  page: string,
  { library, named, stateOf }: Sources,
  { cwd }: Io,
): Promise<PmcoderError> {
  const all = await library.list();
  const entries = named.length === 0 ? all : all.filter(({ key }) => named.includes(key));
  const state = entries[0] === undefined ? null : await stateOf(entries[0].key);
  return new PmcoderError("usage", choiceText({ entries, state, cwd, page }));
}

async function viewFrom(library: Library, key: string): Promise<EpisodeView> {
  const recording = await library.open(key);
  if (recording === null) throw new PmcoderError("usage", `Run ${key} has no events.`);
  return episodeView(recording, advanceAll(recording));
}

/** The page of a run that is under way in this process or another, for as long as it is not closed. */
export async function startViewer({
  database,
  run,
}: {
  readonly database: string;
  readonly run: string;
}): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const library = journalLibrary(openJournal(database, systemClock), mergeConfig([]).config);
  const viewer = await serveViewer({ library, assets: readAssets() });
  return { url: viewer.urlOf(`/episode/${run}`), close: viewer.close };
}
