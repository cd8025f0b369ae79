import type { Experience } from "../domain/briefing.ts";
import type { RunConfig } from "../domain/config/run-config.ts";
import type { RecordedEvent } from "../domain/episode.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { IssueIdentity } from "../domain/experience.ts";
import type { Model } from "../domain/model.ts";
import { redactorOf } from "../domain/redact.ts";
import { secretsOf } from "../domain/secrets.ts";
import { type Around, composeExperience } from "./compose-experience.ts";
import type { Outcome } from "./perform.ts";
import { isFinal } from "./standing.ts";
import { writeBack } from "./write-back.ts";

/** Memories across issues as a run is given them. */
export interface Remembrance {
  readonly experience: Experience | null;
  /** What the user should know of it. */
  readonly notices: readonly string[];
  /** Learns from the run, if it has ended for good. */
  readonly learnFrom: (outcome: Outcome, events: readonly RecordedEvent[]) => Promise<void>;
}

const none = { experience: null, notices: [], learnFrom: async () => {} };

/** Whether one of the memories has something distilled as it learns. */
const asksModel = ({ experience: { names, experepair } }: RunConfig) =>
  names.includes("swe-exp") || (names.includes("experepair") && experepair.semantic);

/**
 * Opens the memories that a run is to have. What keeps them from being opened is a notice: a run
 * does without. `mayLearn` false: they are only read, as in an evaluation. No secret gets into a bank.
 */
export async function remember(
  config: RunConfig,
  identity: () => Promise<IssueIdentity>,
  { model, mayLearn, ...around }: Around & { readonly model: Model; readonly mayLearn: boolean },
): Promise<Remembrance> {
  if (config.experience.names.length === 0) return none;
  const { env, stderr } = around.io;
  const redact = redactorOf(secretsOf({ ...env, ...config.environment.env }));
  try {
    const open = await composeExperience(config, redact(await identity()), around);
    if (open === null) return none;
    const learnFrom: Remembrance["learnFrom"] = async ({ end }, events) => {
      if (!mayLearn || !isFinal(end.status)) return;
      if (asksModel(config)) stderr.write("learning from this run: the model is asked\n");
      const patch = redact(Buffer.from(end.patch).toString("utf8"));
      const lines = await writeBack(open, { events, patch, model, env });
      for (const line of lines) stderr.write(`${line}\n`);
    };
    return { experience: open.experience, notices: [], learnFrom };
  } catch (error) {
    const ends = !(error instanceof PmcoderError) || error.code === "interrupted";
    // An arm without its memories would be another arm.
    if (ends || !mayLearn) throw error;
    return { ...none, notices: [`Nothing is recalled from other issues: ${error.message}`] };
  }
}
