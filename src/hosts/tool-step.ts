import { quoted } from "../trajectories/bash-text.ts";
import type { StepRecord } from "../trajectories/host-log.ts";
import { isQuiet, isShell, toolCommand } from "./tool-command.ts";
import { type ToolInput, textIn } from "./tool-input.ts";
import { shellResult, type Told, toolResult } from "./tool-result.ts";

/** A tool call of a host with what came of it. */
export interface ToolCall extends Told {
  readonly id: string | null;
  readonly tool: string;
  readonly input: ToolInput;
  /** Where the call ran, if elsewhere than at the repository's top. */
  readonly folder?: string | null;
}

/** The call as a step; `quiet`: of no interest; `unknown`: a tool that we know nothing of. */
export function stepOf(call: ToolCall): StepRecord | "quiet" | "unknown" {
  const { id, tool, input } = call;
  const command = toolCommand(tool, input);
  if (command === null) return isQuiet(tool) ? "quiet" : "unknown";
  const isCommand = isShell(tool);
  const result = isCommand ? shellResult(call) : toolResult(call);
  return {
    type: "step",
    id,
    thought: isCommand ? textIn(input, "description") : "",
    command: inFolder(command, call),
    ...result,
  };
}

/** A shell that keeps its folder: where a command says nothing of folders, it ran where it is now. */
function inFolder(command: string, { folder }: ToolCall): string {
  if (!folder || /(?:^|[\s;&|(])(?:cd|pushd|popd)\b/.test(command)) return command;
  return `cd ${quoted(folder)} && ${command}`;
}
