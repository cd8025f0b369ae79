import type { IntegrityRecord, VerdictRecord } from "../domain/evidence.ts";
import { duration } from "../domain/quantities.ts";
import { type Paint, visible } from "./terminal-text.ts";

/** Files that a command left so that they do not parse. */
export function corruptLines({ corrupt }: IntegrityRecord, paint: Paint): readonly string[] {
  return corrupt.map(({ file, line, message }) => {
    const place = line === null ? file : `${file}:${line}`;
    return `  ${paint("yellow", "broken".padEnd(8))}${visible(`${place} ${message}`)}`;
  });
}

/** What the reproduction script says of the tree. */
export function verdictLine(record: VerdictRecord, paint: Paint): string {
  const { verdict } = record;
  const style = verdict === "pass" ? "green" : "yellow";
  return `  ${paint(style, "repro".padEnd(8))}${said[verdict]} (${how(record)})`;
}

const said = {
  pass: "the issue no longer shows",
  fail: "the issue still shows",
  undefined: "no verdict",
} as const;

function how({ cached, exitCode, seconds, signature }: VerdictRecord): string {
  if (cached) return "this tree is known";
  if (exitCode !== null) return `exit ${exitCode}, ${duration(seconds)}`;
  return signature === null ? "a source file does not parse" : "not run";
}
