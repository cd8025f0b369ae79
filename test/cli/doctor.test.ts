import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type DoctorInputs, examine, report } from "../../src/cli/doctor.ts";
import { copiesFinding, roomFinding, stateFinding } from "../../src/cli/doctor-places.ts";
import { exitCodeOfFindings, type Finding, renderFindings } from "../../src/cli/doctor-report.ts";
import { plain } from "../../src/cli/terminal-text.ts";
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
    stateFolder: join(folder, ".pmcoder"),
    workFolder: folder,
    trySandbox: async () => ({ ok: true }),
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
    expect(found).toHaveLength(11);
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

  it.each([
    [6e9, "ok", "6.0 GB free at /w"],
    [2e9, "optional", "2.0 GB free at /w"],
    [5e8, "missing", "500.0 MB free at /w"],
  ])("with %d bytes of room are %s", (free, state, found) => {
    expect(roomFinding("/w", free)).toMatchObject({ name: "disk", state, found });
  });

  it("with working copies of a day ago come with the command that removes them", async () => {
    const folder = join(temporaryFolder(), "it's");
    const names = ["20261128-235900-ab12", "20261130-115900-ab12", "20261001-000000-ffff", "mine"];
    for (const name of names) mkdirSync(join(folder, name), { recursive: true });
    const finding = await copiesFinding(folder, Date.UTC(2026, 10, 30, 12));
    const shown = `'${folder.replace("it's", "it'\\''s")}`;
    expect(finding).toEqual({
      name: "working copies",
      state: "optional",
      found: "2 older than a day left behind",
      fix: `rm -rf ${shown}/20261001-000000-ffff' ${shown}/20261128-235900-ab12'`,
    });
  });

  it("without working copies are fine", async () => {
    expect(await copiesFinding("/nowhere", 0)).toMatchObject({ state: "ok" });
  });
});
