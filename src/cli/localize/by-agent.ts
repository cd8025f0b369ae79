import type { RunConfig } from "../../domain/config/run-config.ts";
import type { Localized } from "../../workflows/localize/localize.ts";
import type { Location } from "../../workflows/localize/parse-locations.ts";
import { composeModel } from "../compose.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { listenForSignals } from "../signals.ts";
import { visible } from "../terminal-text.ts";
import { askAgent } from "./ask-agent.ts";
import type { LocalizeFlags } from "./command.ts";
import { readPast } from "./read-past.ts";

/** Lets the localisation agent read history and code. Returns 1 when it names no file. */
export async function byAgent(
  text: string | undefined,
  flags: LocalizeFlags,
  config: RunConfig,
  io: Io,
): Promise<ExitCode> {
  const interruption = listenForSignals(io.signals, () => io.leave(130));
  const { signal } = interruption;
  const { repomem } = config.experience;
  try {
    const past = await readPast(text, flags, repomem, { io, signal });
    const { issue } = past.target;
    const { model, close } = await composeModel(config.model, flags.record, issue, io);
    try {
      const tell = (line: string) => void io.stderr.write(`${visible(line)}\n`);
      const found = await askAgent(past, flags, { model, config, io, signal, tell });
      print(found, flags, io);
      return found.locations.length > 0 ? 0 : 1;
    } finally {
      close();
    }
  } finally {
    interruption.release();
  }
}

function print({ locations, calls, costUsd, askedAgain }: Localized, flags: LocalizeFlags, io: Io) {
  const files = locations.map(({ file }) => file);
  const lines = flags.json
    ? [
        ...locations.map((location, at) => JSON.stringify({ rank: at + 1, ...location })),
        JSON.stringify({ files, calls, cost: costUsd, asked_again: askedAgain }),
      ]
    : locations.map(lineFor);
  if (lines.length === 0) lines.push("The agent names no file of this repository.");
  io.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

function lineFor({ file, names, lines }: Location, at: number): string {
  const where = lines.length === 0 ? "" : `:${lines.join(",")}`;
  return visible(`${at + 1}  ${file}${where}${names.length === 0 ? "" : `  ${names.join(", ")}`}`);
}
