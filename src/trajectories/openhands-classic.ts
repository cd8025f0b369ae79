import { z } from "zod";
import { JsonObject, MessageText, objectOf, TextOrNull } from "./message-text.ts";
import type { HistoryEvent } from "./openhands-history.ts";

const ModelResponse = z.looseObject({
  id: z.string(),
  choices: z
    .array(z.looseObject({ message: z.looseObject({ content: MessageText.default("") }) }))
    .catch([]),
});

const Metadata = z.looseObject({
  tool_call_id: TextOrNull.optional(),
  model_response: ModelResponse.optional().catch(undefined),
});

const Event = z
  .looseObject({
    id: z.number().optional().catch(undefined),
    cause: z.number().nullish().catch(null),
    source: TextOrNull.optional(),
    action: z.string().optional(),
    observation: z.string().optional(),
    args: JsonObject.optional().catch(undefined),
    extras: JsonObject.optional().catch(undefined),
    content: MessageText.default(""),
    tool_call_metadata: Metadata.optional().catch(undefined),
  })
  .refine(({ action, observation }) => action !== undefined || observation !== undefined);
type Event = z.infer<typeof Event>;

const codeIn = (place: JsonObject | null) => {
  const code = place?.["exit_code"];
  return typeof code === "number" ? code : null;
};

const keyOf = (id: number | null | undefined) => (id === undefined || id === null ? null : `${id}`);

const textIn = (place: JsonObject, key: string) => MessageText.parse(place[key] ?? "");

function answer({ extras, cause, content, ...event }: Event): HistoryEvent {
  const place = extras ?? event;
  const exitCode = codeIn(objectOf(place["metadata"])) ?? codeIn(place);
  return { type: "answered", key: keyOf(cause), output: content, exitCode };
}

/** `read`, and `edit` by a command, are the file editor; other edits are drafts for lines. */
function toolOf(action: string, input: JsonObject): { tool: string; input: JsonObject } {
  if (action === "read")
    return { tool: "str_replace_editor", input: { ...input, command: "view" } };
  if (action !== "edit") return { tool: action, input };
  return { tool: input["command"] ? "str_replace_editor" : "edit_file", input };
}

function reply(event: Event, action: string, input: JsonObject): HistoryEvent {
  const { tool_call_metadata: metadata, id } = event;
  const response = metadata?.model_response;
  const thought = textIn(input, "thought");
  return {
    type: "replied",
    reply: response?.id ?? null,
    content: response?.choices[0]?.message.content || thought,
    thought,
    use: { key: keyOf(id), callId: metadata?.tool_call_id ?? null, ...toolOf(action, input) },
  };
}

/** Actions of the harness. */
const notTheAgents = new Set(["system", "recall", "change_agent_state", "null", "condensation"]);

function historyEvent(event: Event): HistoryEvent | null {
  const { action, source } = event;
  if (action === undefined) return answer(event);
  if (notTheAgents.has(action)) return null;
  const input = event.args ?? event;
  if (action !== "message") return source === "user" ? null : reply(event, action, input);
  const text = textIn(input, "content");
  return source === "agent"
    ? { type: "replied", reply: null, content: text, thought: text, use: null }
    : { type: "asked", text };
}

/**
 * An event of OpenHands up to 0.x and 1.x: `action` with `args`, or `observation` with `cause`;
 * older ones hold their arguments beside the type and have no ids. null: of no interest.
 */
export const ClassicEvent = Event.transform(historyEvent);
