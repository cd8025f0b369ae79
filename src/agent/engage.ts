import { begin } from "../substrate/observe.ts";
import { Advisor } from "./advisor.ts";
import { decompose, decompositionQuestion } from "./decompose.ts";
import type { EpisodeLog } from "./episode-log.ts";
import { limitReached } from "./limit-reached.ts";
import type { LoopParts } from "./loop.ts";
import { openTurn } from "./open-turn.ts";
import { rebuild } from "./rebuild.ts";

/** The substrate for this episode: as its events left it, or new with a plan that the model makes. */
export async function engage(parts: LoopParts, log: EpisodeLog): Promise<Advisor> {
  const { grounding = null, past = [] } = parts;
  const reproducer = grounding?.reproducer ?? null;
  if (past.some(({ type }) => type === "prompt")) {
    // An observation is taken in again with what follows from it, if that was not recorded whole.
    const open = openTurn(past)?.unfinishedAt ?? past.length;
    const rebuilt = rebuild(past.slice(0, open), reproducer);
    if (rebuilt) return new Advisor(rebuilt.state, grounding, rebuilt.evidence);
  }
  const { config, environment, redact = (value) => value } = parts;
  // A later process rebuilds all this from the record, where no secret stands.
  const issue = redact(parts.issue);
  const listed = past.find((event) => event.type === "listing");
  const files = listed?.files ?? redact(parts.files);
  if (!listed) await log.record({ type: "listing", files });
  const decomposition = await planOf({ ...parts, issue }, log);
  const root = environment.workdir;
  return new Advisor(begin(issue, { config, root, files, decomposition, reproducer }), grounding);
}

/** The model's answer to the decomposition request, if it gave one. */
async function planOf(parts: LoopParts, log: EpisodeLog): Promise<string | null> {
  const { config, issue, past = [] } = parts;
  const given = past.find((event) => event.type === "reply" && event.purpose === "decompose");
  if (given?.type === "reply") return given.message.content;
  const question = decompositionQuestion(issue, config.planner.issueChars);
  const asks = config.planner.on && limitReached(parts, log, question) === null;
  return asks ? decompose(parts, question, log) : null;
}
