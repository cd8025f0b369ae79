import type { Memory } from "../../domain/bank.ts";
import { plural } from "../../domain/quantities.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { cut, visible } from "../terminal-text.ts";
import { table } from "../text-table.ts";
import { chosen } from "./choose.ts";
import type { ListFlags } from "./command.ts";
import { inExistingBank } from "./existing-bank.ts";
import { gist, isMark } from "./memory-line.ts";

/** `pmcoder experience list`: with origins and counts, in the order learned. */
export async function listMemories(flags: ListFlags, io: Io): Promise<ExitCode> {
  await inExistingBank(flags.bank, io, async (bank, file) => {
    const all = (await chosen(bank, flags)).filter((memory) => isWanted(memory, flags));
    if (flags.json) {
      for (const memory of all) io.stdout.write(`${JSON.stringify(listed(memory))}\n`);
      return;
    }
    if (all.length > 0) {
      const columns = io.stdout.columns ?? 160;
      for (const line of rows(all)) io.stdout.write(`${cut(line, columns)}\n`);
    }
    io.stderr.write(`${plural(all.length, "memory").replace("memorys", "memories")} in ${file}\n`);
  });
  return 0;
}

function isWanted(memory: Memory, { stage, insights }: ListFlags): boolean {
  if (isMark(memory)) return false;
  if (insights && !memory.kind.startsWith("insight:")) return false;
  return stage === undefined || memory.kind === stage;
}

function listed(memory: Memory) {
  const { id, system, kind, from, learnedFrom, learnedAt, uses, helped, harmed } = memory;
  return {
    id,
    source: system,
    kind,
    instance_id: from.instanceId,
    repo: from.repo,
    created_at: dateOf(from.createdAt),
    learned_from: learnedFrom,
    learned_at: dateOf(learnedAt),
    uses,
    helped,
    harmed,
    text: gist(memory),
  };
}

const dateOf = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Digits of an id that are shown; enough to tell a million memories apart nearly always. */
const shownDigits = 10;

function rows(all: readonly Memory[]): readonly string[] {
  const head = ["id", "kind", "from", "learned", "used", "helped", "harmed"];
  const cells = all.map(({ id, kind, from, learnedAt, uses, helped, harmed }) => [
    id.slice(0, shownDigits),
    kind,
    visible(from.instanceId ?? from.repo ?? "–"),
    new Date(learnedAt).toISOString().slice(0, 10),
    String(uses),
    String(helped),
    String(harmed),
  ]);
  const [first = "", ...lines] = table(head, cells);
  return [
    `${first}  what`,
    ...lines.map((line, at) => {
      const memory = all[at];
      return memory === undefined ? line : `${line}  ${visible(gist(memory))}`;
    }),
  ];
}
