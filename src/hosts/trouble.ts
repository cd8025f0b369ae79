import { appendFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeSessionsFolder } from "./session-files.ts";

/** Something that went wrong while a host went on as if we were not there. */
export interface Trouble {
  /** Epoch ms. */
  readonly at: number;
  readonly host: string;
  readonly what: string;
}

/** Bytes: what is told beyond it is left out. Our choice: a thousand lines. */
const most = 200_000;

const fileIn = (folder: string) => join(folder, "trouble.log");

/** Writes down what went wrong. Never throws: where it cannot be written, nobody hears of it. */
export function noteTrouble(folder: string, trouble: Trouble): void {
  const file = fileIn(folder);
  try {
    makeSessionsFolder(folder);
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > most) return;
    appendFileSync(file, `${JSON.stringify(trouble)}\n`, { mode: 0o600 });
  } catch {
    // The host must not notice.
  }
}

/** What went wrong so far, oldest first, and the file that says so; a damaged line is left out. */
export function readTrouble(folder: string): {
  readonly file: string;
  readonly troubles: readonly Trouble[];
} {
  const file = fileIn(folder);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return { file, troubles: [] };
  }
  return { file, troubles: text.split("\n").flatMap(troubleIn) };
}

function troubleIn(line: string): readonly Trouble[] {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null) return [];
    const { at, host, what } = value as Record<string, unknown>;
    const isWhole = typeof at === "number" && typeof host === "string" && typeof what === "string";
    return isWhole ? [{ at, host, what }] : [];
  } catch {
    return [];
  }
}
