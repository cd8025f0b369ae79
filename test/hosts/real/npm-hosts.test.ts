import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withoutAngles } from "../../../src/hosts/hook-answer.ts";
import { capable } from "../../capabilities.ts";
import { pmcoder, readText } from "../../cli/run-world.ts";
import type { Loopback } from "../../loopback/server.ts";
import { expectBlocks, replayed } from "./blocks.ts";
import {
  expectMended,
  type HostWorld,
  hostWorld,
  logOf,
  modelUrl,
  runOffline,
} from "./host-world.ts";
import { mending } from "./mending.ts";
import { hostsFolder, type NpmHost, npmHosts } from "./npm-hosts.ts";
import { playedModel, turnsOf } from "./played-model.ts";

const here = capable("hosts", () => existsSync(join(hostsFolder, "npm", "node_modules")));
const issue = readText("assets/demo/issue.md");

/** A machine with the host's own settings, and a model that mends the bug in the host's words. */
async function settled(
  host: NpmHost,
): Promise<{ readonly at: HostWorld; readonly server: Loopback }> {
  const at = hostWorld();
  host.settle({ ...at, url: modelUrl });
  return { at, server: await playedModel(mending, host.vocabulary(at.repo)) };
}

/** One session of the host on the issue. */
async function runHost(host: NpmHost, at: HostWorld, server: Loopback): Promise<void> {
  // A busy machine may take its time.
  const env = { ...host.env({ ...at, url: modelUrl }), PMCODER_HOOK_MS: "4500" };
  const { code, err } = await runOffline(at, host.command(issue), env, server);
  await server.close();
  expect(code, err).toBe(0);
}

async function change(at: HostWorld, word: "install" | "uninstall", host: NpmHost): Promise<void> {
  const { code, err } = await pmcoder(at, ["hook", word, host.name, "--yes"]);
  expect(code, err).toBe(0);
}

/** All files under a folder with what they hold; links are not followed. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile() && !file.includes("/node_modules/"))
    .map((file) => [file, readFileSync(file, "utf8")]);

describe.runIf(here)("a host with plan and memory, its model played on 127.0.0.1", () => {
  it.each(npmHosts)(
    "$name $version mends the bundled bug with the blocks that a replay gives",
    { timeout: 180_000 },
    async (host) => {
      const { at, server } = await settled(host);
      await change(at, "install", host);
      await runHost(host, at, server);
      expectMended(at);
      const asShown = host.name === "qwen-code" ? withoutAngles : undefined;
      expectBlocks(server.received, await replayed(at, logOf(at)), asShown);
    },
  );

  it.each(npmHosts)(
    "$name $version is the agent that it was, once they are uninstalled",
    { timeout: 180_000 },
    async (host) => {
      const { at, server } = await settled(host);
      const before = filesIn(at.home);
      await change(at, "install", host);
      const once = filesIn(at.home);
      expect(once).not.toEqual(before);
      await change(at, "install", host);
      expect(filesIn(at.home)).toEqual(once);
      await change(at, "uninstall", host);
      expect(filesIn(at.home)).toEqual(before);
      await runHost(host, at, server);
      expectMended(at);
      expect(turnsOf(server.received)).toHaveLength(mending.length);
      expect(JSON.stringify(server.received)).not.toContain("PLANMEM");
      expect(existsSync(join(at.repo, ".pmcoder"))).toBe(false);
    },
  );
});
