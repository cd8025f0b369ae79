import { SessionLink } from "../session-link.ts";
import type { SidecarPlace } from "../sidecar-client.ts";
import { numberIn, objectIn, objectsIn, type ToolInput, textIn } from "../tool-input.ts";

/** Hooks as opencode calls them: they change `output` in place. */
export interface OpencodeHooks {
  "chat.message": (input: unknown, output: unknown) => Promise<void>;
  "tool.execute.after": (input: unknown, output: unknown) => Promise<void>;
  "experimental.chat.messages.transform": (input: unknown, output: unknown) => Promise<void>;
}

/**
 * Plan and memory as an opencode plugin. opencode tells of a tool that threw only in the messages of
 * the next request, and builds those anew each time; so its block is kept and put there each time.
 */
export function opencodeHooks(place: SidecarPlace): OpencodeHooks {
  const link = new SessionLink("opencode", place);
  const failures = new Map<string, string | null>();
  return {
    async "chat.message"(input, output) {
      const session = textIn(objectIn(input) ?? {}, "sessionID");
      const parts = objectsIn(objectIn(output) ?? {}, "parts");
      const texts = parts.filter((part) => part["type"] === "text" && part["synthetic"] !== true);
      const task = texts
        .map((part) => textIn(part, "text"))
        .join("\n")
        .trim();
      if (session !== "" && task !== "") await link.begin(session, task);
    },
    async "tool.execute.after"(input, output) {
      const [given, result] = [objectIn(input) ?? {}, mutable(output)];
      if (result === null || typeof result["output"] !== "string") return;
      const block = await link.blockAfter({
        ...callOf(given, "tool"),
        input: given["args"],
        output: result["output"],
        isError: false,
        exitCode: numberIn(objectIn(result["metadata"]) ?? {}, "exit"),
      });
      if (block !== null) result["output"] += `\n\n${block}`;
    },
    async "experimental.chat.messages.transform"(_input, output) {
      for (const message of objectsIn(objectIn(output) ?? {}, "messages")) {
        for (const part of objectsIn(message, "parts")) await showFailure(part, failures, link);
      }
    },
  };
}

async function showFailure(
  part: ToolInput,
  failures: Map<string, string | null>,
  link: SessionLink,
): Promise<void> {
  const state = mutable(part["state"]);
  if (part["type"] !== "tool" || state === null || state["status"] !== "error") return;
  const { error } = state;
  if (typeof error !== "string") return;
  const call = callOf(part, "tool");
  if (!failures.has(call.id)) {
    const told = { ...call, input: state["input"], output: error, isError: true };
    failures.set(call.id, await link.blockAfter(told));
  }
  const block = failures.get(call.id) ?? null;
  if (block !== null && !error.endsWith(block)) state["error"] = `${error}\n\n${block}`;
}

function callOf(fields: ToolInput, tool: string) {
  return {
    session: textIn(fields, "sessionID"),
    id: textIn(fields, "callID"),
    tool: textIn(fields, tool),
  };
}

/** An object of the host's, to be changed in place. */
function mutable(value: unknown): Record<string, unknown> | null {
  return objectIn(value);
}
