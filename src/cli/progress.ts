import type { RecordedEvent } from "../domain/episode.ts";
import type { Env, TextStream } from "./env.ts";
import { advance, notStarted, type Progress } from "./progress-state.ts";
import { type Layout, linesOf, liveLine } from "./progress-text.ts";
import { coloured, plain } from "./terminal-text.ts";

/** Who is shown an episode as it happens. */
export interface Watcher {
  see(event: RecordedEvent): void;
  /** Shows nothing that moves until the returned function is called: someone else asks or tells. */
  hold(): () => void;
  /** Leaves the screen in order, whether or not the episode has ended. */
  close(): void;
}

export interface ProgressOptions extends Pick<Layout, "output" | "apply" | "resume"> {
  readonly stream: TextStream;
  readonly env: Env;
  /** Epoch ms. */
  readonly now: () => number;
  /** What an earlier process of the run has shown. */
  readonly past?: readonly RecordedEvent[];
}

/** Where an episode stands that an earlier process has left. */
const standing = (past: readonly RecordedEvent[] = []): Progress => ({
  ...past.reduce(advance, notStarted),
  activity: null,
});

const tickMs = 250;
const spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const eraseLine = "\r\u001b[2K";

/** A line per finished step; on a terminal also a live line below, where a dumb one gets none. */
export function watchProgress(options: ProgressOptions): Watcher {
  const { stream, env } = options;
  return stream.isTTY && env.TERM !== "dumb" ? watchLive(options) : watchPlain(options);
}

function watchPlain({ stream, output, apply, resume, past }: ProgressOptions): Watcher {
  let progress = standing(past);
  const layout: Layout = { columns: 120, paint: plain, output, apply, resume };
  return {
    see(event) {
      progress = advance(progress, event);
      for (const line of linesOf(event, progress, layout)) stream.write(`${line}\n`);
    },
    hold: () => () => {},
    close: () => {},
  };
}

function watchLive({ stream, env, output, apply, resume, now, past }: ProgressOptions): Watcher {
  const paint = env.NO_COLOR ? plain : coloured;
  let progress = standing(past);
  let frame = 0;
  let held = 0;
  let timer: NodeJS.Timeout | undefined;
  // A terminal that does not know its width says 0.
  const columns = () => Math.max(stream.columns || 80, 20);
  const draw = (lines: readonly string[]) => {
    const live = held > 0 ? "" : liveLine(progress, now(), columns() - 3);
    const spin =
      live === "" ? "" : `${paint("cyan", spinner[frame % spinner.length] ?? "")} ${live}`;
    stream.write(`${held > 0 ? "" : eraseLine}${lines.map((line) => `${line}\n`).join("")}${spin}`);
  };
  const tick = () => {
    frame += 1;
    if (held === 0) draw([]);
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    see(event) {
      progress = advance(progress, event);
      draw(linesOf(event, progress, { columns: columns(), paint, output, apply, resume }));
      if (progress.activity === null) stop();
      else timer ??= setInterval(tick, tickMs).unref();
    },
    hold() {
      if (held === 0) stream.write(eraseLine);
      held += 1;
      let released = false;
      return () => {
        if (!released) held -= 1;
        released = true;
      };
    },
    close() {
      stop();
      if (progress.activity === null) return;
      progress = { ...progress, activity: null };
      draw([]);
    },
  };
}
