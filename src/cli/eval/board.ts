import type { BatchEvent, Tell } from "../../eval/batch/batch-event.ts";
import type { EpisodeJob } from "../../eval/experiment/expand.ts";
import {
  beginProgress,
  blameFor,
  type Progress,
  takeEvent,
} from "../../eval/experiment/progress.ts";
import { tableOf } from "../../eval/experiment/progress-table.ts";
import type { Env, TextStream } from "../env.ts";
import { cut } from "../terminal-text.ts";
import { boardLines, endedLine, remarkLine } from "./board-text.ts";

/** Who is shown a batch as it goes. */
export interface Board {
  readonly tell: Tell;
  /** Leaves the final table; may be called twice. */
  readonly close: () => void;
}

export interface BoardOptions {
  readonly jobs: readonly EpisodeJob[];
  /** In the order of the table. */
  readonly arms: readonly string[];
  /** Text for people. */
  readonly stderr: TextStream;
  /** Where programs read; null: they do not. */
  readonly stdout: TextStream | null;
  readonly env: Env;
  /** Epoch ms. */
  readonly now: () => number;
}

/** A table that is redrawn on a terminal, a line for each ended job elsewhere, JSON for programs. */
export function openBoard(options: BoardOptions): Board {
  const { stderr, stdout, env } = options;
  const arms = options.arms.filter((name) => options.jobs.some(({ arm }) => arm === name));
  let progress = beginProgress(options.jobs, arms);
  let isClosed = false;
  const show =
    stdout !== null
      ? showJson(stdout, options.now)
      : stderr.isTTY && env.TERM !== "dumb"
        ? showLive(stderr, options.now)
        : showPlain(stderr, options.now);
  return {
    tell: (event) => {
      if (event.type !== "note" && event.type !== "failed") progress = takeEvent(progress, event);
      show.see(event, progress);
    },
    close: () => {
      if (!isClosed) show.close(progress);
      isClosed = true;
    },
  };
}

interface Show {
  see(event: BatchEvent, progress: Progress): void;
  close(progress: Progress): void;
}

/** Every event as one JSON object a line; the last line is the table. */
function showJson(stdout: TextStream, now: () => number): Show {
  const write = (value: object) => void stdout.write(`${JSON.stringify(value)}\n`);
  return {
    see: write,
    close: (progress) => write({ type: "table", rows: tableOf(progress, now()) }),
  };
}

type Ended = Extract<BatchEvent, { type: "ended" }>;

/** What the lines so far have told. */
interface Told {
  /** Jobs whose grading is awaited. */
  readonly ended: Map<string, Ended>;
  /** Jobs with a line, and those that an earlier process did. Others may have ended meanwhile. */
  readonly counted: Set<string>;
}

const nothingTold = (): Told => ({ ended: new Map(), counted: new Set() });

/** The lines that stay for an event. */
function linesFor(event: BatchEvent, { armOf }: Progress, told: Told): readonly string[] {
  const { ended, counted } = told;
  if (event.type === "ended") ended.set(event.job, event);
  const isDone = event.type === "restored" && blameFor(event.status) === "model";
  if (isDone && armOf.has(event.job)) counted.add(event.job);
  if (event.type === "graded") {
    const before = ended.get(event.job);
    ended.delete(event.job);
    if (before === undefined) return [];
    counted.add(event.job);
    return [endedLine(before, event.resolved, `${counted.size}/${armOf.size}`)];
  }
  return [remarkLine(event) ?? []].flat();
}

function showPlain(stream: TextStream, now: () => number): Show {
  const told = nothingTold();
  const write = (line: string) => void stream.write(`${line}\n`);
  return {
    see: (event, progress) => linesFor(event, progress, told).forEach(write),
    close: (progress) => boardLines(progress, now()).forEach(write),
  };
}

const tickMs = 1000;
/** Between two drawings that leave no new line. */
const restMs = 100;

/** The table stands below what people should see, and is redrawn in its place. */
function showLive(stream: TextStream, now: () => number): Show {
  const told = nothingTold();
  let drawn = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let latest: Progress | null = null;
  let timer: NodeJS.Timeout | undefined;
  const draw = (lines: readonly string[]) => {
    const columns = Math.max(stream.columns || 80, 20);
    const board = latest === null ? [] : boardLines(latest, now());
    const back = drawn === 0 ? "" : `\u001b[${drawn}A`;
    const shown = [...lines, ...board.map((line) => cut(line, columns - 1))];
    stream.write(`\r${back}\u001b[J${shown.map((line) => `${line}\n`).join("")}`);
    drawn = board.length;
    drawnAt = now();
  };
  return {
    see: (event, progress) => {
      latest = progress;
      const lines = linesFor(event, progress, told);
      if (lines.length > 0 || now() - drawnAt > restMs) draw(lines);
      timer ??= setInterval(() => draw([]), tickMs).unref();
    },
    close: (progress) => {
      clearInterval(timer);
      latest = progress;
      draw([]);
    },
  };
}
