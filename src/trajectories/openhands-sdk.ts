import { z } from "zod";
import { JsonObject, MessageText, objectOf, TextOrNull } from "./message-text.ts";
import type { HistoryEvent } from "./openhands-history.ts";
import { parseJson } from "./salvage.ts";

const Message = z
  .looseObject({
    kind: z.literal("MessageEvent"),
    source: TextOrNull.default(null),
    llm_message: z.looseObject({ content: MessageText.default("") }),
  })
  .transform(
    ({ source, llm_message: { content } }): HistoryEvent =>
      source === "agent"
        ? { type: "replied", reply: null, content, thought: content, use: null }
        : { type: "asked", text: content },
  );

const Action = z
  .looseObject({
    kind: z.literal("ActionEvent"),
    tool_name: z.string(),
    tool_call_id: TextOrNull.default(null),
    llm_response_id: TextOrNull.default(null),
    thought: MessageText.default(""),
    action: JsonObject.nullish().catch(null),
    tool_call: z.looseObject({ arguments: z.string() }).nullish().catch(null),
  })
  .transform((event): HistoryEvent => {
    const { thought, tool_name: tool, tool_call_id: callId, llm_response_id: reply } = event;
    const given = event.tool_call ? objectOf(parseJson(event.tool_call.arguments)?.value) : null;
    const input = given ?? event.action ?? {};
    return {
      type: "replied",
      reply,
      content: thought,
      thought,
      use: { key: callId, callId, tool, input },
    };
  });

const exitCode = z.number().nullish().catch(null);

const Observation = z
  .looseObject({
    kind: z.literal("ObservationEvent"),
    tool_call_id: TextOrNull.default(null),
    observation: z.looseObject({
      content: MessageText.default(""),
      output: MessageText.default(""),
      exit_code: exitCode,
      metadata: z.looseObject({ exit_code: exitCode }).nullish().catch(null),
    }),
  })
  .transform(({ tool_call_id: key, observation }): HistoryEvent => {
    const code = observation.exit_code ?? observation.metadata?.exit_code ?? null;
    const output = observation.content || observation.output;
    return { type: "answered", key, output, exitCode: code };
  });

const Failure = z
  .looseObject({
    kind: z.literal("AgentErrorEvent"),
    tool_call_id: TextOrNull.default(null),
    error: z.string(),
  })
  .transform(({ tool_call_id: key, error }): HistoryEvent => {
    return { type: "answered", key, output: error, exitCode: 1 };
  });

const Other = z.looseObject({ kind: z.string() }).transform(() => null);

/** An event of the OpenHands SDK, which says what it is in `kind`. null: of no interest. */
export const SdkEvent = z.union([Message, Action, Observation, Failure, Other]);
