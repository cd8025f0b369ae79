import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PastEpisode } from "../../../src/domain/experience.ts";

/** Writes an episode as a mini-swe-agent-1.1 trajectory into a folder; returns the file's name. */
export function writeTrajectory(
  folder: string,
  { from, steps, patch }: Pick<PastEpisode, "from" | "steps" | "patch">,
): string {
  const turns = steps.flatMap(({ command, output, exitCode, thought, index }) => [
    {
      role: "assistant",
      content: thought,
      extra: { actions: [{ command, tool_call_id: `call-${index}` }] },
    },
    {
      role: "tool",
      tool_call_id: `call-${index}`,
      content: output,
      extra: { returncode: exitCode, raw_output: output },
    },
  ]);
  const messages = [{ role: "user", content: from.issue }, ...turns];
  const info = { exit_status: "Submitted", submission: patch, pmcoder: { task: from.issue } };
  const name = `${from.instanceId}.traj.json`;
  const format = "mini-swe-agent-1.1";
  const file = { trajectory_format: format, instance_id: from.instanceId, info, messages };
  writeFileSync(join(folder, name), JSON.stringify(file));
  return name;
}
