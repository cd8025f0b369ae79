import type { Environment } from "../../domain/environment.ts";
import { parsePython } from "./parse-python.ts";
import { parseScript } from "./parse-script.ts";

/**
 * What a parser makes of a file. `gone`: there is none at that path; `unknown`: no answer, because
 * it is too large, took too long, or no parser is there. `line` is from 1, null if not known.
 */
export type Parse =
  | { readonly state: "whole" | "gone" | "unknown" }
  | { readonly state: "broken"; readonly line: number | null; readonly message: string };

const python = /\.py$/;
const script = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** Whether files of this name can be parsed: Python, JavaScript and TypeScript. */
export function isParsable(path: string): boolean {
  return python.test(path) || script.test(path);
}

/** Parses files of an environment, each absolute or relative to its `workdir`, in their order. */
export async function parseFiles(
  environment: Environment,
  paths: readonly string[],
  timeoutSec: number,
): Promise<ReadonlyMap<string, Parse>> {
  const found = new Map<string, Parse>();
  const pythonFiles = paths.filter((path) => python.test(path));
  if (pythonFiles.length > 0) {
    const parses = await parsePython(environment, pythonFiles, timeoutSec);
    for (const [index, path] of pythonFiles.entries()) {
      found.set(path, parses[index] ?? { state: "unknown" });
    }
  }
  for (const path of paths.filter((other) => script.test(other))) {
    found.set(path, await parseScript(environment, path));
  }
  return found;
}
