import { PmcoderError } from "../../domain/errors.ts";
import { type Forecast, isFree } from "../../eval/experiment/forecast.ts";
import { ask } from "../consent.ts";
import type { Session } from "../session.ts";
import type { Survey } from "./survey.ts";

/**
 * Asks the person at the terminal before money is spent and before commands run without a sandbox.
 * Where nobody is there, the experiment's cap stands for the first; for the second throws
 * PmcoderError `usage`. Throws `interrupted` when the answer is no.
 */
export async function askToStart(
  forecast: Forecast,
  { kinds }: Survey,
  yes: boolean,
  { io, interruption }: Session,
): Promise<void> {
  if (yes) return;
  const isThere = io.stdin.isTTY === true && io.stderr.isTTY === true;
  const isUnprotected = kinds.has("local");
  if (isUnprotected && !isThere) {
    throw new PmcoderError(
      "usage",
      "Commands would run on this machine without a sandbox, and nobody is at the terminal to consent. Install bubblewrap (--environment bubblewrap), use images (--environment docker), or pass --yes.",
    );
  }
  if (!isThere || (isFree(forecast) && !isUnprotected)) return;
  const warning = isUnprotected
    ? "Commands will run on this machine without a sandbox, and none is asked about.\n"
    : "";
  const terminal = { input: io.stdin, output: io.stderr, signal: interruption.signal };
  const answer = await ask(`${warning}Start? [y]es, [N]o: `, terminal);
  if (/^y(es)?$/i.test(answer)) return;
  throw new PmcoderError("interrupted", "Not started.");
}
