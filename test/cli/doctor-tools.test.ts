import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  bubblewrapFinding,
  dockerFinding,
  type Machine,
  nodeFinding,
  programFinding,
} from "../../src/cli/doctor-tools.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A machine whose PATH holds these programs alone, each a shell script. */
function machineWith(
  programs: Readonly<Record<string, string>>,
  change: Partial<Machine> = {},
): Machine {
  const folder = temporaryFolder();
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return { platform: "linux", isRoot: false, env: { PATH: folder }, ...change };
}
const darwin = { platform: "darwin" } as const;
const works = async () => ({ ok: true }) as const;
const fails = async () => ({ ok: false, reason: "no user namespaces", fix: "allow them" }) as const;

describe("node", () => {
  it.each([
    ["20.19.0", "ok"],
    ["20.20.2", "ok"],
    ["22.1.0", "ok"],
    ["20.18.9", "missing"],
    ["18.20.0", "missing"],
  ])("%s is %s", (version, state) => {
    expect(nodeFinding(version, machineWith({}))).toMatchObject({ name: "node", state });
  });
});

describe("git and bash", () => {
  it("are told with their version", async () => {
    const machine = machineWith({ git: "echo git version 2.39.5" });
    expect(await programFinding("git", machine)).toEqual({
      name: "git",
      state: "ok",
      found: "git version 2.39.5",
    });
  });

  it.each([
    [{}, "sudo apt-get install git"],
    [{ isRoot: true }, "apt-get install git"],
    [darwin, "brew install git"],
  ])("are missing with the command that gets them: %j", async (change, fix) => {
    const finding = await programFinding("git", machineWith({}, change));
    expect(finding).toEqual({ name: "git", state: "missing", found: "not found", fix });
  });

  it("that fail are told with their reason", async () => {
    const machine = machineWith({ bash: "echo broken library >&2; exit 127" });
    expect(await programFinding("bash", machine)).toMatchObject({
      state: "missing",
      found: "broken library",
    });
  });

  it("that hang are given up", async () => {
    const machine = machineWith({ git: "while :; do :; done" });
    expect(await programFinding("git", machine)).toMatchObject({
      state: "missing",
      found: "it does not answer",
    });
  });
});

describe("docker", () => {
  it("is fine when its engine answers", async () => {
    const machine = machineWith({ docker: '[ "$1" = version ] && echo 28.1' });
    const finding = await dockerFinding(machine, { required: false });
    expect(finding).toEqual({ name: "docker", state: "ok", found: "engine 28.1" });
  });

  const silent = { docker: "echo Cannot connect to the Docker daemon >&2; exit 1" };
  it.each([
    [{}, {}, "not found", "sudo apt-get install docker.io"],
    [{}, darwin, "not found", "brew install --cask docker"],
    [
      silent,
      {},
      "its engine does not answer: Cannot connect to the Docker daemon",
      "sudo systemctl start docker",
    ],
    [
      silent,
      darwin,
      "its engine does not answer: Cannot connect to the Docker daemon",
      "open -a Docker",
    ],
  ])("is optional, with what gets it: %j %j", async (programs, change, found, fix) => {
    const machine = machineWith(programs, change);
    const finding = await dockerFinding(machine, { required: false });
    expect(finding).toEqual({ name: "docker", state: "optional", found, fix });
  });

  it("stands in the way when the configuration asks for it", async () => {
    const finding = await dockerFinding(machineWith({}), { required: true });
    expect(finding.state).toBe("missing");
  });
});

describe("bubblewrap", () => {
  it("is fine when it makes a sandbox", async () => {
    const finding = await bubblewrapFinding(machineWith({}), { required: false, tryIt: works });
    expect(finding).toEqual({ name: "bubblewrap", state: "ok", found: "makes a sandbox" });
  });

  it.each([
    [{}, false, "optional", "not found; without it and Docker each command asks for consent"],
    [{}, true, "missing", "not found"],
    [
      { bwrap: "echo 0.8" },
      true,
      "missing",
      "installed, but makes no sandbox here: no user namespaces",
    ],
  ])(
    "is told apart: absent or without power (%j, required: %s)",
    async (programs, required, state, found) => {
      const finding = await bubblewrapFinding(machineWith(programs), { required, tryIt: fails });
      expect(finding).toMatchObject({ state, found });
      expect(finding.fix).toBe(
        "bwrap" in programs ? "allow them" : "sudo apt-get install bubblewrap",
      );
    },
  );

  it("is no part of macOS", async () => {
    const wanted = { required: false, tryIt: works };
    expect(await bubblewrapFinding(machineWith({}, darwin), wanted)).toMatchObject({
      state: "optional",
      found: "runs on Linux only; use docker",
    });
  });
});
