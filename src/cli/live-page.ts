import { setTimeout as wait } from "node:timers/promises";
import type { Kept } from "./compose.ts";
import { explain } from "./exit-code.ts";
import type { Watcher } from "./progress.ts";
import type { Session } from "./session.ts";

/** Long enough for an open page to fetch the end (our choice: two of its looks). */
const lingerMs = 1500;

/**
 * A watcher that also serves the run's page, from the moment its record begins until everything is
 * closed. The address goes to standard error. Without a page the run goes on all the same.
 */
export function withPage(
  watcher: Watcher,
  { run, outputs: { db } }: Pick<Kept, "run" | "outputs">,
  { io, closing }: Session,
): Watcher {
  let page: Promise<() => Promise<void>> | null = null;
  let hasEnded = false;
  const tell = (text: string) => {
    const release = watcher.hold();
    io.stderr.write(`${text}\n`);
    release();
  };
  const open = async () => {
    try {
      const { startViewer } = await import("./view.ts");
      const { url, close } = await startViewer({ database: db, run });
      tell(`page    ${url}`);
      return close;
    } catch (error) {
      tell(`There is no page: ${explain(error, io.env)}`);
      return async () => {};
    }
  };
  closing.add(async () => {
    if (page === null) return;
    const close = await page;
    if (hasEnded) await wait(lingerMs);
    await close();
    tell(`The page has closed with the run. To see it again: pmcoder view ${run}`);
  });
  return {
    ...watcher,
    see(event) {
      watcher.see(event);
      if (event.type === "begin" || event.type === "resume") page ??= open();
      if (event.type === "end") hasEnded = true;
    },
  };
}
