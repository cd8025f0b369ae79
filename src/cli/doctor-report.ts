import type { Paint, Style } from "./terminal-text.ts";

/** What was looked at, and what came out. Only `missing` stands in the way of a run. */
export interface Finding {
  readonly name: string;
  readonly state: "ok" | "missing" | "optional";
  readonly found: string;
  /** The command or setting that mends it. */
  readonly fix?: string;
}

const styles: Record<Finding["state"], Style> = { ok: "green", missing: "red", optional: "yellow" };

/** One line a finding, the fix below it, and the verdict at the end. */
export function renderFindings(findings: readonly Finding[], paint: Paint): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.flatMap(({ name, state, found, fix }) => [
    `${paint(styles[state], state.padEnd(8))}  ${name.padEnd(width)}  ${found}`,
    ...(fix === undefined ? [] : [`${" ".repeat(12 + width)}→ ${fix}`]),
  ]);
  return [...lines, verdict(findings)].map((line) => `${line}\n`).join("");
}

function verdict(findings: readonly Finding[]): string {
  const missing = findings.filter(({ state }) => state === "missing").map(({ name }) => name);
  if (missing.length === 0) return "A run is possible.";
  return `A run is not possible yet: see ${missing.join(", ")}.`;
}

/** 0 when a run is possible, else 1. */
export function exitCodeOfFindings(findings: readonly Finding[]): 0 | 1 {
  return findings.some(({ state }) => state === "missing") ? 1 : 0;
}
