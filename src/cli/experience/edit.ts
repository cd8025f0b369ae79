import { PmcoderError } from "../../domain/errors.ts";
import {
  type Insight,
  insightIn,
  insightKind,
  insightMemory,
  insightsOf,
} from "../../experience/experepair/insight-shelf.ts";
import { insightAgents, insightText } from "../../experience/experepair/insights.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import type { EditFlags } from "./command.ts";
import { inExistingBank, memoryBy } from "./existing-bank.ts";

/** `pmcoder experience edit`: an insight in other words, at its place and with its origins. */
export async function editInsight(
  id: string,
  given: string,
  flags: EditFlags,
  io: Io,
): Promise<ExitCode> {
  const text = insightText(given);
  if (text === "") throw new PmcoderError("usage", "The new text is empty. To drop it: forget.");
  return inExistingBank<ExitCode>(flags.bank, io, async (bank) => {
    const memory = memoryBy(id, await bank.read({}));
    const insight = insightIn(memory);
    const agent = insightAgents.find((one) => insightKind(one) === memory.kind);
    const { repo } = memory.from;
    if (insight === null || agent === undefined || repo === null) {
      throw new PmcoderError(
        "usage",
        `${memory.id} is a record of kind ${memory.kind}; only insights have words of their own to edit.`,
      );
    }
    const current = await insightsOf(bank, repo, agent);
    const next = current.map((one): Insight => (one.id === insight.id ? { ...one, text } : one));
    const isReplaced = await bank.replace(
      { system: "experepair", kind: insightKind(agent), repo },
      current.map((one) => one.id),
      next.map((one) => insightMemory(one, agent)),
    );
    if (!isReplaced) {
      throw new PmcoderError("storage", "Another process changed the insights. Try it again.");
    }
    io.stderr.write(`${text}\n`);
    return 0;
  });
}
