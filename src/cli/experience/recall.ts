import type { Denials, IssueIdentity, Occasion, Recollection } from "../../domain/experience.ts";
import { stages } from "../../domain/experience.ts";
import { occasionOf } from "../../experience/adarepair/routing.ts";
import type { RecalledTogether } from "../../experience/combine.ts";
import { Closing } from "../closing.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { textOf } from "../replay.ts";
import { listenForSignals } from "../signals.ts";
import { coloured, type Paint, plain, visible } from "../terminal-text.ts";
import type { RecallFlags } from "./command.ts";
import { inExistingBank } from "./existing-bank.ts";
import { memoryConfig, openMemories } from "./memories.ts";
import { targetOf } from "./target.ts";

/**
 * `pmcoder experience recall`: what an episode about this issue would be told, best first, for the
 * stage or phase given or for each stage; what the leak guard kept back is counted.
 */
export async function recallFor(
  text: string | undefined,
  flags: RecallFlags,
  io: Io,
): Promise<ExitCode> {
  const config = memoryConfig(flags, ["experepair", "adarepair"], io);
  const target = await targetOf(text, flags, io);
  await inExistingBank(config.experience.bank ?? undefined, io, async () => {});
  const closing = new Closing();
  const { signal, release } = listenForSignals(io.signals, () => io.leave(130));
  try {
    const around = { io, signal, closing, asksModel: flags.model !== undefined };
    const { memory } = await openMemories(config, target, around);
    const failure = flags.failure === undefined ? null : textOf(flags.failure, io.cwd);
    for (const occasion of occasions(flags, target, failure)) {
      tell(occasion, await memory.recall(occasion), flags, io);
    }
    return 0;
  } finally {
    release();
    await closing.close();
  }
}

/** Those of an episode's moments that are asked about; insights are told at its beginning. */
function occasions(
  { stage, phase }: RecallFlags,
  target: IssueIdentity,
  failure: string | null,
): readonly (Occasion & { readonly name: string })[] {
  const refining = failure !== null || phase === "backtrack";
  if (phase !== undefined) return [{ target, phase, entry: 1, refining, failure, name: phase }];
  const asked = stage === undefined ? stages : [stage];
  return asked.map((one, at) => {
    const moment = occasionOf[one];
    return { target, ...moment, entry: at + 1, failure, name: one };
  });
}

function tell(
  { name }: { readonly name: string },
  { recollections, denied, failures }: RecalledTogether,
  { json }: RecallFlags,
  { stdout, stderr, env }: Io,
): void {
  const paint = stdout.isTTY && !env.NO_COLOR ? coloured : plain;
  const lines = json
    ? recollections.map((one) => `${JSON.stringify(lineOf(one))}\n`)
    : [
        heading(name, recollections.length, paint),
        ...recollections.map((one) => shown(one, paint)),
      ];
  stdout.write(lines.join(""));
  for (const failure of failures) stderr.write(`${visible(failure)}\n`);
  const kept = denialsOf(denied);
  if (kept !== "") stderr.write(`${name}: kept back by the leak guard: ${kept}\n`);
}

const heading = (name: string, count: number, paint: Paint) =>
  `${paint("bold", name)}${count === 0 ? ": nothing" : ""}\n`;

function lineOf({ id, source, stage, instanceId, score, text }: Recollection) {
  return { instance_id: instanceId, source, stage, score, id, text };
}

function shown({ id, source, score, text }: Recollection, paint: Paint): string {
  const lines = text.split("\n").map((line) => `    ${indented(line)}\n`);
  return `  ${paint("dim", `${id.slice(0, 10)} ${source} ${score.toFixed(3)}`)}\n${lines.join("")}`;
}

/** A line of code keeps its indentation. */
function indented(line: string): string {
  return `${/^ */.exec(line)?.[0] ?? ""}${visible(line)}`;
}

function denialsOf(denied: Denials): string {
  return Object.entries(denied)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(", ");
}
