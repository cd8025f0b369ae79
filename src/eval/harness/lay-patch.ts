import { quote } from "../../agent/patch/script.ts";
import type { PatchLadder } from "../grading/eval-plan.ts";
import type { Errands } from "./errands.ts";

export interface LaidPatch {
  readonly applied: boolean;
  /** What was tried and what it printed, for people; the first words as in the official log. */
  readonly account: string;
}

const passed = ">>>>> Applied Patch";
const failed = ">>>>> Patch Apply Failed";

/** Lays the patch in a file of the environment on its repository, by a generation's ladder. */
export async function layPatch(
  errands: Errands,
  file: string,
  { attempts, cleanUp, inPlace }: PatchLadder,
): Promise<LaidPatch> {
  const account: string[] = [];
  let last = "";
  for (const [index, attempt] of attempts.entries()) {
    if (index > 0 && cleanUp !== null) await errands.run(cleanUp);
    const { ok, text } = await errands.run(`${attempt} ${quote(file)}`);
    if (ok)
      return { applied: true, account: [...account, `${passed}: ${attempt}`, text].join("\n") };
    account.push(`Failed to apply patch to container: ${attempt}`);
    last = text;
  }
  const applied = inPlace !== null && (await errands.run(`${inPlace} ${quote(file)}`)).ok;
  const end = applied ? `${passed}: verified already applied` : `${failed}:\n${last}`;
  return { applied, account: [...account, end].join("\n") };
}
