import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { reproOf } from "../../src/cli/repro-command.ts";
import { ReproRecord } from "../../src/domain/reproducer.ts";
import { runCommand } from "./run-command-in.ts";
import {
  cassetteText,
  eventsOf,
  fix,
  issue,
  namesIn,
  onlyRun,
  pmcoder,
  put,
  readText,
  submit,
  summaryIn,
  type World,
  world,
} from "./run-world.ts";

const instance = "demo__answer-1";
const good =
  "import sys\nfrom answer import answer\nprint('answer is', answer)\nsys.exit(answer != 42)\n";

/** A world in which commands start at the top, with a dataset of one row about its repository. */
function benchOf() {
  const at = world();
  const row = {
    instance_id: instance,
    repo: "demo/answer",
    base_commit: "0",
    problem_statement: issue,
  };
  put(at, "rows.jsonl", `${JSON.stringify(row)}\n`);
  const repro = (...args: readonly string[]) =>
    runCommand(reproOf, { home: at.folder, args: [...args] });
  const local = ["--dataset", "rows.jsonl", "--repo", at.repo, "--environment", "local", "--yes"];
  return { at, repro, validate: () => repro("validate", instance, ...local, "--json") };
}

function writeScript({ folder }: World, text: string): void {
  const file = join(folder, "repro-scripts", instance, "script.py");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const recordIn = ({ folder }: World) =>
  ReproRecord.parse(JSON.parse(readText(folder, "repro-scripts", instance, "record.json")));

/** A cassette whose only reply answers the request for a script. */
function writerOf(at: World, content: string): string {
  const [header] = cassetteText([]).split("\n");
  const reply = JSON.stringify({ purpose: "repro", content, calls: [] });
  return `replay:${put(at, "writer.jsonl", `${header}\n${reply}\n`)}`;
}

function runInstance(at: World, ...more: readonly string[]) {
  const model = `replay:${put(at, "cassette.jsonl", cassetteText([fix, submit]))}`;
  const args = ["run", "--instance", instance, "--dataset", "rows.jsonl", "--model", model];
  const place = ["--repo", at.repo, "--environment", "local", "--yes", "--state", "state"];
  return pmcoder(at, [...args, ...place, "--output", "out", ...more], { cwd: at.folder });
}

const outputOf = ({ folder }: World) => join(folder, "out");

describe("pmcoder repro", () => {
  it("has a script written, validates it, and lists it", async () => {
    const { at, repro, validate } = benchOf();
    const model = writerOf(at, `\`\`\`python\n${good}\`\`\`\n`);
    const extracted = await repro("extract", instance, "--dataset", "rows.jsonl", "--model", model);
    expect(extracted.codes).toEqual([0]);
    const sha256 = createHash("sha256").update(good).digest("hex");
    const written = { instance_id: instance, lang: "python", sha256, model };
    expect(recordIn(at)).toMatchObject({ ...written, admitted: false, rc: null, ms: null });
    expect((await repro("list")).out).toMatch(/^demo__answer-1 {2}not validated {2}python/);

    const validated = await validate();
    expect(validated.codes).toEqual([0]);
    expect(JSON.parse(validated.out)).toMatchObject({ ...written, admitted: true, rc: 1 });
    expect(recordIn(at)).toEqual(JSON.parse(validated.out));
    expect(readText(at.folder, "repro-scripts", "index.jsonl")).toBe(validated.out);
    expect((await repro("list", "--json")).out).toBe(validated.out);
    expect((await repro("list")).out).toMatch(/^demo__answer-1 {2}admitted {7}python/);
    expect(namesIn(at.repo)).toEqual([".git", "answer.py"]);
  });

  it("says when the reply holds no script, and keeps nothing", async () => {
    const { at, repro } = benchOf();
    const model = writerOf(at, "I cannot.");
    const { codes, err } = await repro(
      "extract",
      instance,
      "--dataset",
      "rows.jsonl",
      "--model",
      model,
    );
    expect(codes).toEqual([1]);
    expect(err).toContain("no script");
    expect(namesIn(join(at.folder, "repro-scripts"))).toEqual([]);
  });

  it("refuses a script that shows nothing, with its output, and records that", async () => {
    const { at, repro, validate } = benchOf();
    writeScript(at, "print('all is well')\n");
    const { codes, err } = await validate();
    expect(codes).toEqual([1]);
    expect(err).toContain(
      "refused: it does not reproduce the issue: exit status 0\n  all is well\n",
    );
    expect(recordIn(at)).toMatchObject({ admitted: false, rc: 0, model: null, author: "hand" });
    expect((await repro("list")).out).toMatch(/^demo__answer-1 {2}refused/);
  });

  it("tells what is missing", async () => {
    const { repro, validate } = benchOf();
    await expect(validate()).rejects.toThrow(/holds no script\.py and no script\.sh/);
    await expect(repro("validate", "../x")).rejects.toThrow(/cannot be the name of a folder/);
    await expect(repro("extract", instance)).rejects.toThrow(/model/);
  });
});

describe("a run of an instance", () => {
  it("is armed with the admitted script, and ends with its verdict", async () => {
    const { at, validate } = benchOf();
    writeScript(at, good);
    await validate();
    expect((await runInstance(at)).code).toBe(0);
    const events = await eventsOf(outputOf(at));
    expect(events).toContainEqual(expect.objectContaining({ type: "verdict", verdict: "pass" }));
    expect(events[0]).toMatchObject({ reproducer: { lang: "python", text: good } });
    expect(summaryIn(outputOf(at))).toMatchObject({ verdict: "pass", arm: "full" });
  });

  it("is not armed with a script that has changed since, nor with one that was refused", async () => {
    const { at, validate } = benchOf();
    writeScript(at, good);
    await validate();
    writeScript(at, `${good}\n`);
    const { err } = await runInstance(at);
    expect(err).toContain("has changed since it was admitted");
    expect(summaryIn(outputOf(at)).verdict).toBeNull();
  });

  it.each([
    [["--no-grounding"], "full no-grounding"],
    [["--no-planner"], "full no-planner"],
  ])("is not armed with %s", async (flags, arm) => {
    const { at, validate } = benchOf();
    writeScript(at, good);
    await validate();
    await runInstance(at, ...flags);
    expect(summaryIn(outputOf(at))).toMatchObject({ verdict: null, arm });
  });
});

describe("--repro", () => {
  it("arms any run with a script of one's own", async () => {
    const at = world();
    const file = put(at, "own.sh", 'grep -q 42 answer.py && exit 0\necho "not yet"\nexit 1\n');
    const model = `replay:${put(at, "c.jsonl", cassetteText(["sed -i s/41/40/ answer.py", fix.replace("41", "40"), submit]))}`;
    await pmcoder(at, [
      "run",
      issue,
      "--model",
      model,
      "--environment",
      "local",
      "--yes",
      "--repro",
      file,
    ]);
    const verdicts = (await eventsOf(onlyRun(at))).flatMap((event) =>
      event.type === "verdict" ? [[event.verdict, event.exitCode, event.tail]] : [],
    );
    expect(verdicts).toEqual([
      ["fail", 1, "not yet"],
      ["pass", 0, ""],
    ]);
  });

  it.each([
    ["own.txt", "exit 1\n", /named \.py or \.sh/],
    ["own.py", "#".repeat(65 * 1024), /larger than 64 KiB/],
  ])("refuses %s", async (name, text, message) => {
    const at = world();
    const model = `replay:${put(at, "c.jsonl", cassetteText([submit]))}`;
    const flags = ["--environment", "local", "--yes", "--repro", put(at, name, text)];
    const { code, err } = await pmcoder(at, ["run", issue, "--model", model, ...flags]);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
