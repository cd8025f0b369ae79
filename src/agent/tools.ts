import type { FormatErrorKind } from "../domain/episode.ts";
import type { ToolCall, ToolSchema } from "../domain/message.ts";
import type { ModelReply } from "../domain/model.ts";

/** The only tool: a fresh shell per call. */
export const bashTool: ToolSchema = {
  name: "bash",
  description:
    "Run a command in a fresh bash in the repository's folder. Working directory, variables and background jobs do not carry over to the next call; files do.",
  parameters: {
    type: "object",
    properties: { command: { type: "string", description: "The command line to run." } },
    required: ["command"],
    additionalProperties: false,
  },
};

export interface Command {
  readonly callId: string;
  readonly command: string;
}

interface FormatError {
  readonly kind: FormatErrorKind;
  readonly answers: readonly { readonly callId: string | null; readonly content: string }[];
}

/** What a reply asks for: commands in order, or nothing that can be run, with the answers to give. */
export type Turn =
  | { readonly type: "commands"; readonly commands: readonly Command[] }
  | ({ readonly type: "format_error" } & FormatError);

const expected = 'Expected a call of the tool bash with {"command": "..."}.';

function problemOf(call: ToolCall): { kind: FormatErrorKind; text: string } | null {
  if (call.cut) {
    return {
      kind: "cut",
      text: "Not run: your reply reached the output limit inside this call. Send a shorter command, or split it into several.",
    };
  }
  if (call.malformed !== undefined) {
    return { kind: "malformed", text: `Not run: ${call.malformed} ${expected}` };
  }
  if (call.name !== bashTool.name) {
    return { kind: "unknown_tool", text: `Not run: there is no tool "${call.name}". ${expected}` };
  }
  if (typeof call.input["command"] !== "string") {
    return {
      kind: "malformed",
      text: `Not run: the argument "command" is not a text. ${expected}`,
    };
  }
  return null;
}

function withoutCall(stop: ModelReply["stop"]): FormatError {
  if (stop === "length") {
    const content = `Your reply reached the output limit before any tool call. Answer more briefly. ${expected}`;
    return { kind: "cut", answers: [{ callId: null, content }] };
  }
  const content = `Your reply holds no tool call, so nothing was run. ${expected} To finish, follow the submission steps of the task.`;
  return {
    kind: stop === "refusal" ? "refusal" : "no_call",
    answers: [{ callId: null, content }],
  };
}

/**
 * Reads a reply. If one call cannot be run, none of the turn is: later calls may build on it
 * (mini-swe-agent's rule too).
 */
export function readTurn({ message, stop }: Pick<ModelReply, "message" | "stop">): Turn {
  if (message.calls.length === 0) return { type: "format_error", ...withoutCall(stop) };
  const problems = message.calls.map(problemOf);
  const first = problems.find((problem) => problem !== null);
  if (first) {
    const answers = message.calls.map((call, index) => ({
      callId: call.id,
      content: problems[index]?.text ?? "Not run: another call of this reply could not be read.",
    }));
    return { type: "format_error", kind: first.kind, answers };
  }
  const commands = message.calls.map((call) => ({
    callId: call.id,
    command: String(call.input["command"]),
  }));
  return { type: "commands", commands };
}
