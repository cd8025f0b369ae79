import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { localizeOf } from "../../src/cli/localize/command.ts";
import { failure } from "../loopback/openai-server.ts";
import { silence } from "../loopback/server.ts";
import { datasetServer, datasetWorld, issueIn, scripted } from "./localize-world.ts";
import { runCommand } from "./run-command-in.ts";
import { startPmcoder, until } from "./run-process.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const localize = (home: string, ...args: readonly string[]) =>
  runCommand(localizeOf, { home, args });

const parsed = (out: string) =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const spent = { calls: 2, cost: 0, tokens: { input: 4800, cached: 4000, output: 80 } };
const found = [
  {
    instance_id: "o__n-1",
    gold: ["src/parse.js"],
    predicted: ["src/parse.js"],
    ...spent,
  },
  { instance_id: "p__q-2", gold: ["lib/b.js"], predicted: ["lib/a.js", "lib/b.js"], ...spent },
  {
    instance_id: "o__n-3",
    gold: ["src/parse.js", "src/render.js"],
    predicted: ["src/parse.js"],
    ...spent,
  },
];
const all = { n: 3, acc_at_1: 1 / 3, acc_at_3: 2 / 3, acc_at_5: 2 / 3 };

describe("pmcoder localize --model --repos", () => {
  it("asks the agent about each instance at its base, and counts how often it is right", async () => {
    const { folder } = datasetWorld();
    const { server, flags } = await datasetServer();
    const { codes, out, err } = await localize(folder, ...flags);
    expect(codes).toEqual([0]);
    expect(parsed(out)).toEqual([...found, all]);
    expect(err.replaceAll(folder, "FOLDER")).toMatchInlineSnapshot(`
      "1 instance is left out: no clone in clones of x/y.
      o__n-5 is left out: its base 0000000000000000000000000000000000000000 is not in FOLDER/clones/o__n.
      $0.000 were spent.
      "
    `);
    const told = server.received.map(({ body }) => JSON.stringify(body));
    expect(told[1]).toContain("Read brackets");
    // Its number is the issue's own.
    expect(told[1]).not.toContain("Count brackets");
    expect(told[3]).toContain("lib/b.js:1:// brackets of lib/b.js");
    expect(told[5]).toContain("parse.js\\nrender.js\\ntokens.js");
    expect(told[5]).not.toContain("late.js");
    await server.close();
  });

  it("keeps what is done when it is killed or interrupted, and asks for the rest alone", async () => {
    const at = datasetWorld();
    let silent = 1;
    const { server, flags } = await datasetServer((received) =>
      issueIn(received) === silent ? silence : scripted(received),
    );
    const args = ["localize", ...flags, "--output", "kept.jsonl"];
    const asked = () => server.received.map(issueIn);
    const killed = startPmcoder(at, args);
    await until(() => asked().includes(1), killed);
    killed.child.kill("SIGKILL");
    expect(await killed.ended).toBe("SIGKILL");
    silent = 2;
    const interrupted = startPmcoder(at, args);
    await until(() => asked().includes(2), interrupted);
    interrupted.child.kill("SIGINT");
    expect(await interrupted.ended).toBe(130);
    expect(parsed(interrupted.out())).toEqual(found.slice(0, 2));
    expect(interrupted.err()).toContain(
      "1 of 3 instances is left. The others are kept in kept.jsonl; the same command goes on",
    );
    silent = -1;
    const { codes, out } = await localize(at.folder, ...args.slice(1));
    expect([codes, parsed(out)]).toEqual([[0], [...found, all]]);
    expect(asked()).toEqual([0, 0, 1, 1, 1, 2, 2, 2]);
    const again = await localize(at.folder, ...args.slice(1));
    expect([again.codes, again.out]).toEqual([[0], out]);
    expect(asked()).toHaveLength(8);
    await server.close();
  });

  it("tells of an instance that fails, and tries it again at the next start", async () => {
    const { folder } = datasetWorld();
    let isDown = true;
    const { server, flags } = await datasetServer((received) =>
      isDown && issueIn(received) === 1
        ? failure(503, { message: "overloaded" })
        : scripted(received),
    );
    const once = [...flags, "-c", "model.attempts=1", "--output", "kept.jsonl"];
    const first = await localize(folder, ...once, "--record", "cassettes");
    expect(first.codes).toEqual([6]);
    expect(parsed(first.out)).toEqual([
      found[0],
      found[2],
      { n: 2, acc_at_1: 0.5, acc_at_3: 0.5, acc_at_5: 0.5 },
    ]);
    expect(first.err).toMatch(/^p__q-2 failed: .*overloaded/m);
    expect(first.err).toContain("1 of 3 instances is left.");
    expect(readdirSync(join(folder, "cassettes")).sort()).toEqual(["o__n-1.jsonl", "o__n-3.jsonl"]);
    isDown = false;
    const before = server.received.length;
    const second = await localize(folder, ...once, "--record", "cassettes");
    expect(second.codes).toEqual([0]);
    expect(parsed(second.out)).toEqual([found[0], found[2], found[1], all]);
    expect(server.received.slice(before).map(issueIn)).toEqual([1, 1]);
    const cassette = readFileSync(join(folder, "cassettes", "p__q-2.jsonl"), "utf8");
    expect(cassette).toContain('"task":"Colours are lost"');
    await server.close();
  });

  it("stops when three fail one after another", async () => {
    const { folder } = datasetWorld();
    const { server, flags } = await datasetServer(() => failure(401, { message: "no such key" }));
    const { codes, out, err } = await localize(folder, ...flags);
    expect([codes, out]).toEqual([[6], ""]);
    expect(err).toContain("3 of 3 instances are left. With --output FILE");
    expect(server.received).toHaveLength(3);
    await server.close();
  });

  it("begins no instance once the money of all starts is spent", async () => {
    const { folder } = datasetWorld();
    const { server, flags } = await datasetServer();
    const args = [...flags, "--output", "kept.jsonl", "--total-cost", "2"];
    expect((await localize(folder, ...args, "--filter", "n-1$")).codes).toEqual([0]);
    const costly = { ...spent, instance_id: "p__q-2", failed: "it was cut", cost: 2.5 };
    appendFileSync(join(folder, "kept.jsonl"), `${JSON.stringify(costly)}\n`);
    const { codes, out, err } = await localize(folder, ...args);
    expect(codes).toEqual([3]);
    expect(parsed(out)).toEqual([found[0], { n: 1, acc_at_1: 1, acc_at_3: 1, acc_at_5: 1 }]);
    expect(err).toContain("$2.50 are spent: --total-cost is reached.");
    expect(server.received).toHaveLength(2);
    await server.close();
  });

  it("does without memory where both kinds are off, and mixes no two settings", async () => {
    const { folder } = datasetWorld();
    const { server, flags } = await datasetServer();
    const off = ["episodic", "semantic"].flatMap((name) => [
      "-c",
      `experience.repomem.${name}=false`,
    ]);
    const args = [...flags, "--filter", "p__q", "--output", "kept.jsonl"];
    expect((await localize(folder, ...args, ...off)).codes).toEqual([0]);
    const tools = JSON.stringify(server.received[0]?.body["tools"]);
    expect(tools).toContain("SearchEntity");
    expect(tools).not.toMatch(/SearchCommit|SearchSummary/);
    await expect(localize(folder, ...args)).rejects.toThrow(
      /kept\.jsonl holds predictions that were made otherwise \(repomem\.episodic: false, now true; repomem\.semantic: false, now true\)/,
    );
    writeFileSync(join(folder, "kept.jsonl"), "notes\n");
    await expect(localize(folder, ...args)).rejects.toThrow(/holds no predictions of pmcoder/);
    expect(readFileSync(join(folder, "kept.jsonl"), "utf8")).toBe("notes\n");
    await server.close();
  });

  it.each([
    [["--repos", "x"], "--repos wants --dataset FILE"],
    [["--repos", "x", "--dataset", "y", "--base", "z"], "no single issue or repository"],
    [["--repos", "x", "--dataset", "y", "--no-model"], "--repos wants a model"],
    [["--repos", "x", "--dataset", "y", "--commits", "z"], "not both"],
    [["--output", "x", "an issue"], "--output and --total-cost want"],
    [["--repos", "clones", "--dataset", "rows.jsonl", "--filter", "n-5"], "has its base commit in"],
    [["--repos", "clones", "--dataset", "rows.jsonl", "--filter", "y-4"], "has a clone in clones"],
  ])("is refused: %j", async (args, text) => {
    const folder = args.includes("rows.jsonl") ? datasetWorld().folder : temporaryFolder();
    const model = args.includes("--no-model") ? [] : ["--model", "openai:test"];
    await expect(localize(folder, ...model, ...args)).rejects.toThrow(text);
  });
});
