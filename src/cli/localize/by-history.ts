import type { RepoMemConfig } from "../../domain/config/repomem.ts";
import { type RankedFile, rankFiles, sayWhy } from "../../experience/repomem/rank-files.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { listenForSignals } from "../signals.ts";
import { visible } from "../terminal-text.ts";
import type { LocalizeFlags } from "./command.ts";
import { readPast } from "./read-past.ts";

/** Files shown. */
const most = 10;

/** Ranks files by commits alone and prints them with reasons. Returns 1 when there are none. */
export async function byHistory(
  text: string | undefined,
  flags: LocalizeFlags,
  config: RepoMemConfig,
  io: Io,
): Promise<ExitCode> {
  const interruption = listenForSignals(io.signals, () => io.leave(130));
  try {
    const past = await readPast(text, flags, config, { io, signal: interruption.signal });
    const { target, history, built } = past;
    const speaks = config.episodic && history.total >= config.gate;
    const ranked = speaks ? rankFiles(built.memory, target.issue, built.files, config) : [];
    const first = ranked.slice(0, most);
    const lines = flags.json ? jsonLines(first) : first.flatMap(linesFor);
    if (flags.json) {
      const { later, leaked, memory } = built;
      const commits = memory.commits.length;
      const { base, shallow } = history;
      const files = first.map(({ file }) => file);
      lines.push(JSON.stringify({ files, base, commits, later, leaked, shallow }));
    } else if (lines.length === 0) lines.push("No file stands out.");
    io.stdout.write(lines.map((line) => `${line}\n`).join(""));
    return first.length > 0 ? 0 : 1;
  } finally {
    interruption.release();
  }
}

const round = (value: number) => Number(value.toFixed(3));

function jsonLines(ranked: readonly RankedFile[]): string[] {
  return ranked.map((one, at) =>
    JSON.stringify({
      rank: at + 1,
      file: one.file,
      score: round(one.score),
      evidence: Object.fromEntries(one.reasons.map(({ kind, share }) => [kind, round(share)])),
      reasons: sayWhy(one),
    }),
  );
}

function linesFor(ranked: RankedFile, at: number): string[] {
  const head = `${String(at + 1).padStart(2)}  ${ranked.score.toFixed(2)}  ${visible(ranked.file)}`;
  return [head, ...sayWhy(ranked).map((reason) => `          ${visible(reason)}`)];
}
