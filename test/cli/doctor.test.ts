import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type DoctorInputs, examine, report } from "../../src/cli/doctor.ts";
import { bankFinding, roomFinding, stateFinding } from "../../src/cli/doctor-places.ts";
import { exitCodeOfFindings, type Finding, renderFindings } from "../../src/cli/doctor-report.ts";
import { plain } from "../../src/cli/terminal-text.ts";
import { stateFolderOf } from "../../src/store/state-folder.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { esc, pipe, terminal } from "./text-streams.ts";

const findings: readonly Finding[] = [
  { name: "node", state: "ok", found: "20.20.2" },
  { name: "git", state: "missing", found: "not found", fix: "sudo apt-get install git" },
  { name: "keys", state: "optional", found: "none", fix: "export ANTHROPIC_API_KEY=YOUR_KEY" },
];

function inputs(folder: string, change: Partial<DoctorInputs> = {}): DoctorInputs {
  for (const name of ["git", "bash"]) {
    writeFileSync(join(folder, name), "#!/bin/sh\necho 1\n");
    chmodSync(join(folder, name), 0o755);
  }
  const env = { HOME: folder, PATH: folder };
  return {
    env,
    cwd: folder,
    arguments: [],
    flags: [],
    machine: { platform: "linux", isRoot: false, env },
    nodeVersion: "20.20.2",
    clock: { now: () => 0, sleep: () => Promise.resolve() },
    state: stateFolderOf(folder),
    workFolder: folder,
    trySandbox: async () => ({ ok: true }),
    listDead: async () => null,
    ...change,
  };
}

describe("the report", () => {
  it("names what is missing, the command that gets it, and whether a run is possible", () => {
    expect(renderFindings(findings, plain)).toMatchInlineSnapshot(`
      "ok        node  20.20.2
      missing   git   not found
                      → sudo apt-get install git
      optional  keys  none
                      → export ANTHROPIC_API_KEY=YOUR_KEY
      A run is not possible yet: see git.
      "
    `);
  });

  it("ends well when nothing stands in the way", () => {
    const fine = findings.filter(({ state }) => state !== "missing");
    expect(renderFindings(fine, plain)).toMatch(/A run is possible\.\n$/);
    expect([exitCodeOfFindings(fine), exitCodeOfFindings(findings)]).toEqual([0, 1]);
  });

  it("is one JSON object a line when asked for", () => {
    const stdout = pipe();
    expect(report(findings, { json: true, stdout, env: {} })).toBe(1);
    expect(
      stdout
        .text()
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(findings);
  });

  it("has colours on a terminal alone, and none with NO_COLOR", () => {
    const colours = [pipe(), terminal()].map((stdout) => {
      report(findings, { json: false, stdout, env: {} });
      return stdout.written.join("").includes(esc);
    });
    const bare = terminal();
    report(findings, { json: false, stdout: bare, env: { NO_COLOR: "1" } });
    expect([...colours, bare.written.join("").includes(esc)]).toEqual([false, true, false]);
  });
});

describe("an examination", () => {
  it("of a machine that has everything finds nothing missing", async () => {
    const found = await examine(inputs(temporaryFolder()));
    expect(found.map(({ name, state }) => `${name}: ${state}`)).toEqual([
      "node: ok",
      "git: ok",
      "bash: ok",
      "bubblewrap: ok",
      "docker: optional",
      "configuration: ok",
      "keys: optional",
      "model: optional",
      "state folder: ok",
      expect.stringMatching(/^disk: /),
      "experience: ok",
      "journal: ok",
      "killed runs: ok",
      "working copies: ok",
    ]);
  });

  it("counts as missing what the configuration asks for", async () => {
    const given = inputs(temporaryFolder(), { arguments: ["environment.kind=docker"] });
    const docker = (await examine(given)).find(({ name }) => name === "docker");
    expect(docker?.state).toBe("missing");
  });

  it("reports a configuration that cannot be read, and goes on", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, ".config", "pmcoder"), { recursive: true });
    writeFileSync(join(folder, ".config", "pmcoder", "config.yaml"), "memry: 1\n");
    const found = await examine(inputs(folder));
    expect(found.find(({ name }) => name === "configuration")).toMatchObject({
      state: "missing",
      found: expect.stringContaining("config.yaml:1: unknown key memry; did you mean memory?"),
    });
    expect(found).toHaveLength(14);
  });
});

describe("places", () => {
  it("are fine when the folder can be made", async () => {
    const folder = join(temporaryFolder(), "not", "there", "yet");
    expect(await stateFinding(folder)).toEqual({
      name: "state folder",
      state: "ok",
      found: folder,
    });
  });

  it("are missing when it cannot be written", async () => {
    expect(await stateFinding("/proc/pmcoder/.pmcoder")).toMatchObject({
      state: "missing",
      found: "/proc/pmcoder/.pmcoder cannot be written",
      fix: "export PMCODER_STATE=A_FOLDER_OF_YOURS",
    });
  });

  it("of what was learned from other issues is named, whether or not it is there", async () => {
    const bank = join(temporaryFolder(), "experience.db");
    const found = `nothing learned yet; it would be kept in ${bank}`;
    expect(await bankFinding(bank)).toEqual({ name: "experience", state: "ok", found });
    writeFileSync(bank, "x".repeat(2000));
    expect(await bankFinding(bank)).toMatchObject({ found: `2.0 kB in ${bank}` });
  });

  it.each([
    [6e9, "ok", "6.0 GB free at /w"],
    [2e9, "optional", "2.0 GB free at /w"],
    [5e8, "missing", "500.0 MB free at /w"],
  ])("with %d bytes of room are %s", (free, state, found) => {
    expect(roomFinding("/w", free)).toMatchObject({ name: "disk", state, found });
  });
});
