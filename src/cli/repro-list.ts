import { duration } from "../domain/quantities.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import type { ListFlags } from "./repro-command.ts";
import { type Kept, readAllKept } from "./repro-files.ts";
import { reproConfig, scriptsFolder } from "./repro-settings.ts";

/** `pmcoder repro list`: every script that is kept, one a line. */
export function list(flags: ListFlags, io: Io): ExitCode {
  const scripts = scriptsFolder(reproConfig(flags, io), io);
  const all = readAllKept(scripts);
  if (flags.json) {
    for (const { record } of all) io.stdout.write(`${JSON.stringify(record)}\n`);
    return 0;
  }
  if (all.length === 0) io.stderr.write(`${scripts} holds no reproduction scripts.\n`);
  const width = Math.max(0, ...all.map(({ record }) => record.instance_id.length));
  for (const kept of all) io.stdout.write(`${lineOf(kept, width)}\n`);
  return 0;
}

function lineOf(kept: Kept, width: number): string {
  const { instance_id, lang, ms, model, author } = kept.record;
  const time = ms === null ? "" : duration(ms / 1000);
  const by = [model, author].filter((one) => one != null).join(", ");
  const columns = [instance_id.padEnd(width), standing(kept).padEnd(13), lang.padEnd(6)];
  return [...columns, time.padStart(7), by].join("  ").trimEnd();
}

function standing({ record, reproducer, isSame }: Kept): string {
  if (reproducer === null) return "missing";
  if (!isSame) return "changed";
  if (record.admitted) return "admitted";
  return record.rc === null ? "not validated" : "refused";
}
