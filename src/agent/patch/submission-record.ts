import type { Environment } from "../../domain/environment.ts";
import { applyCheck, verdict } from "./applies.ts";
import { type Base, runOnBase } from "./base.ts";
import type { Patch } from "./extract.ts";
import { filesOf } from "./headers.ts";
import { writeBytes } from "./script.ts";

/**
 * The record of a patch that the model wrote itself and submitted as text. The bytes are kept as
 * they came but for their end: white space alone counts as empty, and a patch ends with exactly one
 * newline, unless it applies only with the blank lines that it came with (those of a binary
 * section, or of a context line that lost its space).
 */
export async function recordSubmission(
  environment: Environment,
  base: Base,
  text: Uint8Array,
): Promise<Patch> {
  let bytes = endedOnce(text);
  let applies = bytes.length === 0 || (await isApplicable(environment, base, bytes));
  if (!applies && text.length > bytes.length && (await isApplicable(environment, base, text))) {
    [bytes, applies] = [text, true];
  }
  return {
    bytes,
    record: {
      source: "submission",
      bytes: bytes.length,
      files: filesOf(bytes),
      leftOut: [],
      applies,
    },
  };
}

const newline = 0x0a;

function endedOnce(text: Uint8Array): Uint8Array {
  if (!text.some((byte) => byte > 0x20)) return new Uint8Array();
  let end = text.length;
  while (text[end - 1] === newline) end -= 1;
  return Buffer.concat([text.subarray(0, end), Uint8Array.of(newline)]);
}

async function isApplicable(
  environment: Environment,
  base: Base,
  bytes: Uint8Array,
): Promise<boolean> {
  await writeBytes(environment, `${base.store}/submission`, bytes);
  const result = await runOnBase(environment, base, applyCheck("submission"), {
    task: "check whether the submitted patch applies",
    expected: [verdict.applies, verdict.refused],
  });
  return result.exitCode === verdict.applies;
}
