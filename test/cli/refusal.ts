import { expect } from "vitest";
import {
  copiesOf,
  fix,
  namesIn,
  pmcoder,
  readText,
  replayOf,
  runFolders,
  submit,
  type World,
} from "./run-world.ts";

/** A command line that pmcoder must refuse before anything has begun. */
export interface Refusal {
  readonly of: string;
  readonly code: number;
  readonly says: string | RegExp;
  readonly args: (at: World) => readonly string[];
  readonly around?: Parameters<typeof pmcoder>[2];
}

/** `pmcoder run` with a model that works, so that it is the rest that is refused. */
export const runWith = (at: World, ...args: readonly string[]) => [
  ...["run", ...args, "--model", replayOf(at, fix, submit), "--yes"],
];

/** One clear text for people, the status, and nothing left on the disk. */
export async function expectRefused(
  at: World,
  { args, around, code, says }: Refusal,
): Promise<void> {
  const ran = await pmcoder(at, args(at), around);
  if (typeof says === "string") expect(ran.err).toContain(says);
  else expect(ran.err).toMatch(says);
  expect(ran.err).not.toMatch(/internal error|^ +at |secret/m);
  expect({ code: ran.code, out: ran.out }).toEqual({ code, out: "" });
  expect(runFolders(at)).toEqual([]);
  expect(copiesOf(at)).toEqual([]);
  expect(namesIn(at.folder)).not.toContain("kept.jsonl");
  const allowed = [".git", ".pmcoder", "answer.py"];
  expect(namesIn(at.repo).filter((name) => !allowed.includes(name))).toEqual([]);
  expect(readText(at.repo, "answer.py")).toBe("answer = 41\n");
}
