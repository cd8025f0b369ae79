import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { replaceText } from "../../../src/trajectories/bash-text.ts";
import { capable } from "../../capabilities.ts";
import { readText } from "../../cli/run-world.ts";
import type { Loopback } from "../../loopback/server.ts";
import { expectBlocks, replayed } from "./blocks.ts";
import {
  adapterIn,
  expectMended,
  type HostWorld,
  hostWorld,
  logOf,
  modelUrl,
  runOffline,
  sidecarCommand,
} from "./host-world.ts";
import { mending } from "./mending.ts";
import { playedModel, turnsOf, type Vocabulary } from "./played-model.ts";

const mini = join(process.env["PMCODER_PEERS"] ?? "", "bin", "mini");
const here = capable("peers", () => existsSync(mini));
const issue = readText("assets/demo/issue.md");

const vocabulary: Vocabulary = (act) => {
  const bash = (command: string) => ({ name: "bash", arguments: { command } });
  if (act.does === "run") return bash(act.command);
  if (act.does === "read") return bash(`cat ${act.file}`);
  if (act.does === "submit") return bash("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT");
  return bash(replaceText(act.file, act.before, act.after, "first"));
};

/** The command `mini` with an agent of ours; returns its trajectory's file. */
async function runMini(
  at: HostWorld,
  server: Loopback,
  settings: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const trajectory = join(at.folder, "mini.traj.json");
  const all = [
    "mini.yaml",
    ...settings,
    `environment.cwd=${at.repo}`,
    `model.model_kwargs.api_base=${modelUrl}/v1`,
  ];
  const flags = all.flatMap((setting) => ["-c", setting]);
  const unasked = ["--yolo", "--exit-immediately", "-o", trajectory];
  const { code, err } = await runOffline(
    at,
    [mini, ...flags, "-m", "openai/fake-1", "-t", issue, ...unasked],
    {
      OPENAI_API_KEY: "fake-key",
      MSWEA_CONFIGURED: "true",
      MSWEA_COST_TRACKING: "ignore_errors",
      LITELLM_LOCAL_MODEL_COST_MAP: "True",
      PYTHONPATH: adapterIn(at, "mini-swe-agent"),
      PMCODER_COMMAND: sidecarCommand,
      ...env,
    },
    server,
  );
  expect(code, err).toBe(0);
  return trajectory;
}

describe.runIf(here)("mini-swe-agent 2.4.6, its model played on 127.0.0.1", () => {
  it.each(["PmcoderAgent", "InteractivePmcoderAgent"])(
    "mends the bundled bug as %s, with the blocks that a replay gives",
    { timeout: 120_000 },
    async (agent) => {
      const at = hostWorld();
      const server = await playedModel(mending, vocabulary);
      const trajectory = await runMini(at, server, [`agent.agent_class=pmcoder_mini.${agent}`]);
      await server.close();
      expectMended(at);
      expectBlocks(server.received, await replayed(at, logOf(at)));
      const own = await replayed(at, trajectory);
      expectBlocks(server.received, own.slice(0, mending.length - 1));
    },
  );

  it.each([
    { when: "switched off", setting: "agent.pmcoder=false", env: {} },
    {
      when: "without pmcoder",
      setting: "agent.cost_limit=3",
      env: { PMCODER_COMMAND: "no-such-program" },
    },
    {
      when: "with a pmcoder that says nothing",
      setting: "agent.pmcoder_timeout=0.1",
      env: { PMCODER_COMMAND: "sleep 60" },
    },
  ])("is the agent that it was, $when", { timeout: 120_000 }, async ({ setting, env }) => {
    const at = hostWorld();
    const server = await playedModel(mending, vocabulary);
    await runMini(at, server, ["agent.agent_class=pmcoder_mini.PmcoderAgent", setting], env);
    await server.close();
    expectMended(at);
    expect(turnsOf(server.received)).toHaveLength(mending.length);
    expect(JSON.stringify(server.received)).not.toContain("PLANMEM");
  });
});
