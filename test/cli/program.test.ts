import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startPmcoder } from "./run-process.ts";
import { namesIn, pmcoder, put, readText, world } from "./run-world.ts";

const { version } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
);

/** The names of the commands, as the program's own help lists them. */
async function commandNames(): Promise<readonly string[]> {
  const { out } = await pmcoder(world(), ["--help"]);
  const listed = out.slice(out.indexOf("Commands:"));
  return [...listed.matchAll(/^ {2}([a-z]+)/gm)].map((match) => match[1] ?? "");
}

describe("the program", () => {
  it("knows its commands, each with a help that ends in examples", async () => {
    const names = (await commandNames()).filter((name) => name !== "help");
    expect(names).toEqual(expect.arrayContaining(["run", "apply", "config", "doctor", "demo"]));
    for (const name of names) {
      const { code, out, err } = await pmcoder(world(), [name, "--help"]);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out).toMatch(new RegExp(`\\nExamples?:\\n(?:.*\\n)*? {2}pmcoder ${name}`));
    }
  });

  it.each([
    { args: ["run"], list: "--decouple <list>" },
    { args: ["run"], list: "-c, --config <file|key=value>" },
    { args: ["repro", "extract"], list: "-c, --config <file|key=value>" },
  ])("shows no default of $list in the help of $args, which is an empty list", async (row) => {
    const { out } = await pmcoder(world(), [...row.args, "--help"]);
    expect(out).toContain(row.list);
    expect(out).not.toContain("[]");
    expect(out).toMatch(/\(default:\s/);
  });

  it("prints only the version when asked for it", async () => {
    const at = world();
    expect(await pmcoder(at, ["-V"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
    const { ended, out, err } = startPmcoder(at, ["--version"]);
    expect([await ended, out(), err()]).toEqual([0, `${version}\n`, ""]);
  });

  it.each([
    { args: [], says: "Usage: pmcoder" },
    { args: ["rum"], says: "error: unknown command 'rum'\n(Did you mean run?)" },
    { args: ["apply"], says: "error: missing required argument 'run'" },
    { args: ["run", "a", "b"], says: "error: too many arguments" },
    {
      args: ["run", "--environment", "vm"],
      says: "Allowed choices are docker, bubblewrap, local.",
    },
    { args: ["config", "set", "agent.stepLimit", "many"], says: "agent.stepLimit must be" },
  ])("refuses $args with status 2, on standard error", async ({ args, says }) => {
    const { code, out, err } = await pmcoder(world(), args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(says);
  });

  it("keeps a choice of model that the next run then uses", async () => {
    const at = world();
    expect((await pmcoder(at, ["config", "set", "model", "replay:gone.jsonl"])).code).toBe(0);
    const { code, err } = await pmcoder(at, ["run", "An issue.", "--yes"]);
    expect(code).toBe(6);
    expect(err).toContain("gone.jsonl cannot be read");
    expect(readText(at.home, ".config", "pmcoder", "config.yaml")).toContain("replay:gone.jsonl");
  });

  it("reads nothing of its configuration from the repository", async () => {
    const at = world();
    for (const name of [".config/pmcoder/config.yaml", "pmcoder.yaml", ".pmcoder/config.yaml"]) {
      put(at, `project/${name}`, "model:\n  name: anthropic:a\n  baseUrl: https://thief.invalid\n");
    }
    const { code, out } = await pmcoder(at, ["config", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out).model).toMatchObject({ name: null, baseUrl: null });
  });

  it("examines the machine and changes nothing", async () => {
    const at = world();
    const { code, out } = await pmcoder(at, ["doctor", "-c", "model.name=replay:gone.jsonl"]);
    expect(code).toBe(1);
    expect(out).toMatch(/^missing +model .*gone\.jsonl/m);
    expect(namesIn(at.repo)).toEqual([".git", "answer.py"]);
    expect(namesIn(at.home)).toEqual([]);
  });
});
