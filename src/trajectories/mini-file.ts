import { z } from "zod";
import { JsonObject, MessageText, objectOf, TextOrNull } from "./message-text.ts";

/** A call of the chat API: name and arguments as JSON text, which may be anything. */
export const ChatCall = z.looseObject({
  id: z.string().catch(""),
  function: z.looseObject({ name: z.string().catch(""), arguments: z.string().catch("") }),
});
export type ChatCall = z.infer<typeof ChatCall>;

const Extra = z.looseObject({
  actions: z
    .array(z.looseObject({ command: z.string(), tool_call_id: TextOrNull.optional() }))
    .optional()
    .catch(undefined),
  returncode: z.number().optional().catch(undefined),
  raw_output: TextOrNull.default(null),
  exception_info: TextOrNull.default(null),
  exception_type: TextOrNull.default(null),
  interrupt_type: TextOrNull.default(null),
  pmcoder: z.looseObject({ purpose: TextOrNull.optional() }).optional().catch(undefined),
});

const Message = z.looseObject({
  role: TextOrNull.optional(),
  object: TextOrNull.optional(),
  type: TextOrNull.optional(),
  content: MessageText.default(""),
  output: z.unknown().optional(),
  tool_calls: z.array(ChatCall).nullish().catch(null),
  tool_call_id: TextOrNull.optional(),
  call_id: TextOrNull.optional(),
  extra: Extra.catch(Extra.parse({})).default(Extra.parse({})),
});

/** A message of either generation and of either API (chat or responses), in one shape. */
export interface MiniMessage {
  readonly role: "assistant" | "other" | "exit";
  readonly text: string;
  readonly calls: readonly ChatCall[];
  readonly callId: string | null;
  readonly extra: z.infer<typeof Extra>;
}

const ResponseItem = z.looseObject({ type: z.string(), content: MessageText.default("") });
const ResponseCall = z
  .looseObject({ call_id: z.string(), name: z.string(), arguments: z.string() })
  .transform((call): ChatCall => ({ id: call.call_id, function: call }));

/** Text and calls of a whole reply of the responses API. */
function fromResponse(output: unknown): Pick<MiniMessage, "text" | "calls"> {
  const items = Array.isArray(output) ? output : [];
  return {
    text: items.map((item) => spoken(item)).join(""),
    calls: items.flatMap((item) => ResponseCall.safeParse(item).data ?? []),
  };
}

function spoken(item: unknown): string {
  const { data } = ResponseItem.safeParse(item);
  return data?.type === "message" ? data.content : "";
}

function normal(message: z.infer<typeof Message>): MiniMessage {
  const { role, object, content, output, extra } = message;
  const callId = message.tool_call_id ?? message.call_id ?? null;
  if (object === "response") {
    return { role: "assistant", ...fromResponse(output), callId: null, extra };
  }
  return {
    role: role === "assistant" || role === "exit" ? role : "other",
    text: content === "" && typeof output === "string" ? output : content,
    calls: message.tool_calls ?? [],
    callId,
    extra,
  };
}

const Info = z.looseObject({
  exit_status: TextOrNull.default(null),
  submission: TextOrNull.default(null),
  config: JsonObject.catch({}).default({}),
  pmcoder: z
    .looseObject({ task: TextOrNull.default(null) })
    .optional()
    .catch(undefined),
});

/** A trajectory file of mini-swe-agent, any generation, or of ours. */
export const MiniFile = z.looseObject({
  info: Info.catch(Info.parse({})).default(Info.parse({})),
  messages: z.array(Message.transform(normal)),
  trajectory_format: TextOrNull.default(null),
  instance_id: TextOrNull.default(null),
});
export type MiniFile = z.infer<typeof MiniFile>;

/** A text at `section.key` of the stored configuration, or null. */
export function configured({ info }: MiniFile, section: string, key: string): string | null {
  const value = objectOf(info.config[section])?.[key];
  return typeof value === "string" ? value : null;
}
