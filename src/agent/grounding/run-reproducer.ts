import type { Environment } from "../../domain/environment.ts";
import type { Verdict } from "../../domain/plan.ts";
import type { Reproducer } from "../../domain/reproducer.ts";
import { legible, wholeAtStart } from "../legible.ts";
import { quote, writeBytes } from "../patch/script.ts";

/** Exit statuses by the contract of a reproduction script. */
const meaning: Readonly<Record<number, Verdict>> = { 0: "pass", 1: "fail" };

export interface ReproducerRun {
  /** `undefined` at the time limit, and when the script itself failed. */
  readonly verdict: Verdict;
  readonly exitCode: number;
  readonly interrupted: boolean;
  readonly seconds: number;
  /** The end of what it printed, shown safely, without white space around it. */
  readonly output: string;
}

/** Where a script lies: outside the repository, so that it is no part of the agent's work. */
export function placeOf({ lang }: Reproducer, folder: string): string {
  return `${folder}/reproduction.${lang === "python" ? "py" : "sh"}`;
}

/**
 * The repository's own modules come first, wherever else the package is installed. No bytecode is
 * written: the tree stays as it is, and an edit within the same second cannot be missed.
 */
function commandFor({ lang }: Reproducer, path: string): string {
  const run =
    lang === "bash"
      ? `exec bash ${quote(path)}`
      : `for python in python python3; do
  "$python" -c '' 2>/dev/null && exec "$python" ${quote(path)}
done
echo 'There is no Python here.'
exit 127`;
  return `export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$PWD\${PYTHONPATH:+:$PYTHONPATH}"\n${run}`;
}

/**
 * Runs a reproduction script on the tree as it stands. It is written anew each time, so that it is
 * the admitted one whatever the agent did to the last. Rejects with what the environment rejects
 * with.
 */
export async function runReproducer(
  environment: Environment,
  reproducer: Reproducer,
  {
    folder,
    timeoutSec,
    signal,
  }: { readonly folder: string; readonly timeoutSec: number; readonly signal?: AbortSignal },
): Promise<ReproducerRun> {
  const path = placeOf(reproducer, folder);
  await writeBytes(environment, path, Buffer.from(reproducer.text, "utf8"));
  const options = signal === undefined ? { timeoutSec } : { timeoutSec, signal };
  const result = await environment.execute(commandFor(reproducer, path), options);
  const { exitCode, interrupted, timedOut, seconds } = result;
  const { head, tail, totalBytes } = result.output;
  const isWhole = head.length + tail.length === totalBytes;
  const shown = isWhole ? Buffer.concat([head, tail]) : wholeAtStart(tail);
  return {
    verdict: (timedOut || interrupted ? null : meaning[exitCode]) ?? "undefined",
    exitCode,
    interrupted,
    seconds,
    output: legible(shown).trim(),
  };
}
