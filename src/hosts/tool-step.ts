import { quoted } from "../trajectories/bash-text.ts";
import type { StepRecord } from "../trajectories/host-log.ts";
import { bashOf } from "../trajectories/openhands-tool.ts";
import { isQuiet, isShell, toolCommand } from "./tool-command.ts";
import { type ToolInput, textIn } from "./tool-input.ts";
import { cutOutput, shellResult, type Told, toolResult } from "./tool-result.ts";

/** A tool call of a host with what came of it. */
export interface ToolCall extends Told {
  readonly id: string | null;
  readonly tool: string;
  readonly input: ToolInput;
  /** Where the call ran, if elsewhere than at the repository's top. */
  readonly folder?: string | null;
}

/** Tools of OpenHands, as its adapter tells them: read as in its histories. */
const ofOpenHands = /^(?:terminal|file_editor|finish)$/;

/** The call as a step; `quiet`: of no interest; `unknown`: a tool that we know nothing of. */
export function stepOf(call: ToolCall): StepRecord | "quiet" | "unknown" {
  const { id, tool, input } = call;
  if (ofOpenHands.test(tool)) return openHandsStep(call);
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

function openHandsStep(call: ToolCall): StepRecord {
  const { id, tool, input, text: output, failed, exitCode = null } = call;
  const { command, result } = bashOf({ tool, input, output, exitCode: failed ? 1 : exitCode });
  const told = { ...result, output: cutOutput(result.output) };
  return { type: "step", id, thought: "", command: inFolder(command, call), ...told };
}

/** A shell that keeps its folder: where a command says nothing of folders, it ran where it is now. */
function inFolder(command: string, { folder }: ToolCall): string {
  if (!folder || /(?:^|[\s;&|(])(?:cd|pushd|popd)\b/.test(command)) return command;
  return `cd ${quoted(folder)} && ${command}`;
}
