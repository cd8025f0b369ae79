import { randomUUID } from "node:crypto";
import { SessionLink } from "../session-link.ts";
import type { SidecarPlace } from "../sidecar-client.ts";
import { objectIn, objectsIn, textIn } from "../tool-input.ts";

interface TextPart {
  readonly type: "text";
  readonly text: string;
}

/** Handlers of pi's events; each takes what pi gives, whatever its shape, and never throws. */
export interface PiHandlers {
  /** `before_agent_start`: the user's prompt. */
  prompt(event: unknown, context: unknown): Promise<void>;
  /** `tool_result`: the result's parts with the block after them; undefined leaves them alone. */
  result(event: unknown, context: unknown): Promise<{ content: readonly unknown[] } | undefined>;
}

/** Plan and memory as a pi extension. */
export function piHandlers(place: SidecarPlace): PiHandlers {
  const link = new SessionLink("pi", place);
  const own = randomUUID();
  const sessionOf = (context: unknown) => sessionIn(context) ?? own;
  return {
    async prompt(event, context) {
      const text = textIn(objectIn(event) ?? {}, "prompt");
      if (text !== "") await link.begin(sessionOf(context), text);
    },
    async result(event, context) {
      const fields = objectIn(event) ?? {};
      const { content } = fields;
      if (!Array.isArray(content)) return undefined;
      const block = await link.blockAfter({
        session: sessionOf(context),
        id: textIn(fields, "toolCallId"),
        tool: textIn(fields, "toolName"),
        input: fields["input"],
        output: objectsIn(fields, "content")
          .map((part) => textIn(part, "text"))
          .join(""),
        isError: fields["isError"] === true,
      });
      if (block === null) return undefined;
      const part: TextPart = { type: "text", text: `\n${block}` };
      return { content: [...content, part] };
    },
  };
}

/** pi's own id of the session, where it tells one. */
function sessionIn(context: unknown): string | null {
  try {
    const manager = objectIn(objectIn(context)?.["sessionManager"]);
    const getId = manager?.["getSessionId"];
    const id: unknown = typeof getId === "function" ? getId.call(manager) : null;
    return typeof id === "string" && id !== "" ? id : null;
  } catch {
    return null;
  }
}
