import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withoutAngles } from "../../../src/hosts/hook-answer.ts";
import { capable } from "../../capabilities.ts";
import { readText } from "../../cli/run-world.ts";
import { expectBlocks, replayed } from "./blocks.ts";
import {
  compiled,
  expectMended,
  type HostWorld,
  hostWorld,
  logOf,
  modelUrl,
  runOffline,
} from "./host-world.ts";
import { mending } from "./mending.ts";
import { hostsFolder, npmHosts } from "./npm-hosts.ts";
import { playedModel } from "./played-model.ts";

const here = capable("hosts", () => existsSync(join(hostsFolder, "npm", "node_modules")));
const events = ["UserPromptSubmit", "PostToolUse", "PostToolUseFailure"];
const url = "http://127.0.0.1:4717/hook/qwen-code?token=abc";

function addHttpHooks({ home }: HostWorld): void {
  const file = join(home, ".qwen", "settings.json");
  const entry = [{ hooks: [{ type: "http", url, timeout: 5 }] }];
  const hooks = Object.fromEntries(events.map((event) => [event, entry]));
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), hooks }));
}

/** Starts the sidecar, waits for its addresses, and goes on as the host. */
const besideSidecar = `exec 3< <(PMCODER_HOOK_TOKEN=abc "$1" "$2" serve --http --port 4717)
read -r _ <&3; shift 2; exec "$@" 3<&-`;

it.runIf(here)(
  "qwen-code 0.24.4 shows the same blocks from hooks of type http",
  { timeout: 180_000 },
  async () => {
    const [host] = npmHosts;
    if (!host) throw new Error("no host");
    const at = hostWorld();
    host.settle({ ...at, url: modelUrl });
    addHttpHooks(at);
    const server = await playedModel(mending, host.vocabulary(at.repo));
    const command = host.command(readText("assets/demo/issue.md"));
    const { code, err } = await runOffline(
      at,
      ["bash", "-c", besideSidecar, "bash", ...compiled, ...command],
      host.env({ ...at, url: modelUrl }),
      server,
    );
    await server.close();
    expect(code, err).toBe(0);
    expectMended(at);
    expectBlocks(server.received, await replayed(at, logOf(at)), withoutAngles);
  },
);
