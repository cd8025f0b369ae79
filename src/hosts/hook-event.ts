import type { StepRecord } from "../trajectories/host-log.ts";
import { numberIn, objectIn, objectsIn, type ToolInput, textIn } from "./tool-input.ts";
import { stepOf, type ToolCall } from "./tool-step.ts";

/** What an event of a host with Claude-style hooks means to us. */
type HookEvent =
  | { readonly does: "step"; readonly steps: readonly StepRecord[] }
  | { readonly does: "task"; readonly text: string }
  | { readonly does: "greet"; readonly compacted: boolean }
  | { readonly does: "nothing" };

export interface ReadEvent {
  readonly name: string;
  readonly session: string;
  readonly cwd: string;
  readonly event: HookEvent;
  /** What we did not understand of it, in a sentence; null: nothing. */
  readonly strange: string | null;
}

/** Events that some of these hosts have and that say nothing we need. */
const silent = new Set([
  "PreToolUse",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "Notification",
  "SessionEnd",
  "PreCompact",
  "PostCompact",
  "PermissionRequest",
  "PermissionDenied",
  "TodoCreated",
  "TodoCompleted",
  "Setup",
]);

/** A hook's standard input, or what is wrong with it. `root`: the repository's top for its cwd. */
export function readHookEvent(text: string, rootOf: (cwd: string) => string): ReadEvent | string {
  const fields = parsed(text);
  if (fields === null) return `no JSON object on standard input but ${excerpt(text)}`;
  const [name, session, cwd] = ["hook_event_name", "session_id", "cwd"].map((key) =>
    textIn(fields, key),
  );
  if (!name || !session || !cwd) {
    return `an event without hook_event_name, session_id or cwd: ${excerpt(text)}`;
  }
  const place = cwd === rootOf(cwd) ? null : cwd;
  return { name, session, cwd, ...meaningOf(name, fields, place) };
}

type Meaning = Pick<ReadEvent, "event" | "strange">;

const nothing: Meaning = { event: { does: "nothing" }, strange: null };

function meaningOf(name: string, fields: ToolInput, folder: string | null): Meaning {
  // A sub-agent has a context of its own, in which this session's plan has no place.
  if (textIn(fields, "agent_id") !== "" || silent.has(name)) return nothing;
  switch (name) {
    case "SessionStart":
      return {
        event: { does: "greet", compacted: textIn(fields, "source") === "compact" },
        strange: null,
      };
    case "UserPromptSubmit":
      return promptOf(fields);
    case "PostToolUse":
      return stepsOf([{ ...callOf(fields), ...successOf(fields["tool_response"]), folder }]);
    case "PostToolUseFailure":
      return stepsOf([{ ...callOf(fields), text: textIn(fields, "error"), failed: true, folder }]);
    case "PostToolBatch":
      return stepsOf(objectsIn(fields, "tool_calls").flatMap((call) => batchedOf(call, folder)));
    default:
      return { event: { does: "nothing" }, strange: `an event that is not known: ${name}` };
  }
}

/** A continuation after tool calls carries no prompt. */
function promptOf(fields: ToolInput): Meaning {
  const text = textIn(fields, "submitted_prompt", "prompt").trim();
  return text === "" ? nothing : { event: { does: "task", text }, strange: null };
}

function callOf(fields: ToolInput): Pick<ToolCall, "id" | "tool" | "input"> {
  const id = textIn(fields, "tool_call_id") || textIn(fields, "tool_use_id");
  return {
    id: id === "" ? null : id,
    tool: textIn(fields, "tool_name"),
    input: objectIn(fields["tool_input"]) ?? {},
  };
}

/** qwen-code tells one text for the model; Claude Code an object of another shape for each tool. */
function successOf(response: unknown): Pick<ToolCall, "text" | "failed" | "exitCode"> {
  const fields = objectIn(response);
  if (fields === null) return { text: plainText(response), failed: false };
  if ("stdout" in fields || "stderr" in fields) return streamsOf(fields);
  return { text: textOf(fields) ?? plainText(response), failed: false };
}

/** The changed lines of an edit, the text that a model was given, or the files that were found. */
function textOf(fields: ToolInput): string | null {
  const hunks = objectsIn(fields, "structuredPatch").flatMap((hunk) => textsIn(hunk["lines"]));
  if (hunks.length > 0) return hunks.join("\n");
  const told = fields["llmContent"] ?? fields["content"] ?? objectIn(fields["file"])?.["content"];
  if (told !== undefined) return plainText(told);
  const found = textsIn(fields["filenames"]);
  return found.length > 0 ? found.join("\n") : null;
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function streamsOf(fields: ToolInput): Pick<ToolCall, "text" | "failed" | "exitCode"> {
  const parts = [textIn(fields, "stdout"), textIn(fields, "stderr")];
  const failed = fields["interrupted"] === true;
  const code = numberIn(fields, "exitCode") ?? numberIn(fields, "exit_code");
  return { text: parts.filter((part) => part !== "").join("\n"), failed, exitCode: code };
}

/** A text, the texts of a list of parts, or whatever it is as JSON. */
function plainText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.map((part: unknown) => textIn(objectIn(part) ?? {}, "text")).join("");
}

/** A call of a batch; one of which nothing ran, such as one with wrong parameters, is left out. */
function batchedOf(fields: ToolInput, folder: string | null): readonly ToolCall[] {
  const failed = textIn(fields, "status") === "error";
  const response = objectIn(fields["tool_response"]);
  const parts = response === null ? [] : objectsIn(response, "response_parts");
  const said = parts.map(
    (part) => objectIn(objectIn(part["functionResponse"])?.["response"]) ?? {},
  );
  const told =
    parts.length > 0
      ? { text: said.map((one) => textIn(one, "output", "error")).join("\n"), failed }
      : successOf(fields["tool_response"]);
  if (failed && !/\nExit Code: /.test(told.text)) return [];
  return [{ ...callOf(fields), ...told, folder }];
}

function stepsOf(calls: readonly ToolCall[]): Meaning {
  const told = calls.map((call) => ({ call, step: stepOf(call) }));
  const steps = told.flatMap(({ step }) => (typeof step === "string" ? [] : [step]));
  const unknown = told.find(({ step }) => step === "unknown")?.call.tool;
  return {
    event: steps.length === 0 ? { does: "nothing" } : { does: "step", steps },
    strange: unknown === undefined ? null : `a tool that is not known: ${unknown || "(unnamed)"}`,
  };
}

function parsed(text: string): ToolInput | null {
  try {
    return objectIn(JSON.parse(text));
  } catch {
    return null;
  }
}

const excerpt = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
