import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
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
import { hostsFolder } from "./npm-hosts.ts";
import { playedModel, turnsOf, type Vocabulary } from "./played-model.ts";

const python = join(hostsFolder, "openhands", "bin", "python");
const here = capable("hosts", () => existsSync(python));
const issue = readText("assets/demo/issue.md");
const program = fileURLToPath(new URL("run-openhands.py", import.meta.url));

const vocabulary =
  (repo: string): Vocabulary =>
  (act) => {
    const own = { security_risk: "LOW", summary: "going on with the issue" };
    if (act.does === "submit") return { name: "finish", arguments: { message: "Done.", ...own } };
    if (act.does === "run") {
      return { name: "terminal", arguments: { command: act.command, ...own } };
    }
    const path = join(repo, act.file);
    const edit = { command: "str_replace", path };
    const given =
      act.does === "read"
        ? { command: "view", path }
        : { ...edit, old_str: act.before, new_str: act.after };
    return { name: "file_editor", arguments: { ...given, ...own } };
  };

async function runOpenHands(at: HostWorld, server: Loopback, state: "on" | "off"): Promise<void> {
  const { code, err } = await runOffline(
    at,
    [python, program, modelUrl, at.repo, issue, state],
    {
      LITELLM_LOCAL_MODEL_COST_MAP: "True",
      OPENHANDS_SUPPRESS_BANNER: "1",
      PYTHONPATH: adapterIn(at, "openhands"),
      PMCODER_COMMAND: sidecarCommand,
    },
    server,
  );
  expect(code, err).toBe(0);
}

describe.runIf(here)("the OpenHands SDK 1.58.2, its model played on 127.0.0.1", () => {
  it("mends the bundled bug with the blocks that a replay gives", {
    timeout: 120_000,
  }, async () => {
    const at = hostWorld();
    const server = await playedModel(mending, vocabulary(at.repo));
    await runOpenHands(at, server, "on");
    await server.close();
    expectMended(at);
    expectBlocks(server.received, (await replayed(at, logOf(at))).slice(0, mending.length - 1));
  });

  it("is the agent that it was, switched off", { timeout: 120_000 }, async () => {
    const at = hostWorld();
    const server = await playedModel(mending, vocabulary(at.repo));
    await runOpenHands(at, server, "off");
    await server.close();
    expectMended(at);
    expect(turnsOf(server.received)).toHaveLength(mending.length);
    expect(JSON.stringify(server.received)).not.toContain("PLANMEM");
  });
});
