import type { Environment } from "../../domain/environment.ts";
import type { Reproducer } from "../../domain/reproducer.ts";
import type { Base } from "../patch/base.ts";
import { treeName } from "../patch/stage.ts";
import { type ReproducerRun, runReproducer } from "./run-reproducer.ts";

export interface Admission {
  /** Why the script is refused; null: it is admitted. */
  readonly refusal: string | null;
  readonly exitCode: number;
  /** Of the slower run. */
  readonly seconds: number;
  /** What the last run printed at its end. */
  readonly output: string;
}

export interface AdmissionParts {
  readonly environment: Environment;
  /** The untouched repository. */
  readonly base: Base;
  /** The issue's text; empty if it is not known. */
  readonly issue: string;
  readonly timeoutSec: number;
  readonly maxFileBytes: number;
  readonly signal: AbortSignal;
}

/** Our choice: one that answers differently the second time would answer by chance. */
const runs = 2;

/**
 * Runs a script on the untouched repository, in the environment that the agent will have, and
 * admits it only if it reproduces the issue (arXiv:2608.06811, IV-F), every time, by itself, and
 * leaves the repository as it is.
 */
export async function admit(reproducer: Reproducer, parts: AdmissionParts): Promise<Admission> {
  const { environment, base, timeoutSec, maxFileBytes, signal, issue } = parts;
  let seconds = 0;
  for (let count = 1; ; count += 1) {
    const run = await runReproducer(environment, reproducer, {
      folder: base.store,
      timeoutSec,
      signal,
    });
    seconds = Math.max(seconds, run.seconds);
    const { exitCode, output } = run;
    const refusal = refusalOf(run, issue);
    if (refusal !== null) return { refusal, exitCode, seconds, output };
    if (count < runs) continue;
    const isUntouched = (await treeName(environment, base, { maxFileBytes })) === base.tree;
    const changed = "it changes the repository's files";
    return { refusal: isUntouched ? null : changed, exitCode, seconds, output };
  }
}

function refusalOf(run: ReproducerRun, issue: string): string | null {
  if (run.interrupted) return "it was interrupted";
  if (run.verdict === "pass") return "it does not reproduce the issue: exit status 0";
  if (run.verdict === "undefined") {
    return `it did not find out: exit status ${run.exitCode}, where 1 says that the issue is there`;
  }
  const own = ownFault(run.output);
  if (own === null || issue.includes(own)) return null;
  return `it fails by itself with ${own}, of which the issue says nothing`;
}

const faults = /^(?:ImportError|ModuleNotFoundError|SyntaxError|IndentationError|TabError)$/;

/** An exception that ended the script and that speaks of the script or of what is not installed. */
function ownFault(output: string): string | null {
  if (!output.includes("Traceback (most recent call last)") && !/^ *File "/m.test(output)) {
    return null;
  }
  const raised = [...output.matchAll(/^(?:\w+\.)*(\w+(?:Error|Exception))(?::|$)/gm)].at(-1)?.[1];
  return raised !== undefined && faults.test(raised) ? raised : null;
}
