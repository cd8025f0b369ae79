import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { namesIn, pmcoder, submit, world } from "../run-world.ts";
import { jobsIn, putTrial, type Trial } from "./world.ts";

const instances = ["a__a-1"];
const haiku = "anthropic:claude-haiku-4-5";

interface Refusal {
  readonly what: string;
  readonly trial?: Partial<Trial>;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly code: number;
  readonly says: string;
}

const refusals: readonly Refusal[] = [
  {
    what: "to run commands without a sandbox unasked",
    flags: [],
    code: 2,
    says: "without a sandbox, and nobody is at the terminal to consent",
  },
  {
    what: "a model without a key before anything is run",
    flags: ["--yes", "--model", haiku],
    code: 6,
    says: "There is no key for anthropic: set ANTHROPIC_API_KEY.",
  },
  {
    what: "a model whose money it cannot count",
    flags: ["--yes", "--model", "openai:nobody-knows"],
    env: { OPENAI_API_KEY: "k" },
    code: 2,
    says: "so the caps of the experiment cannot be kept. Add --allow-unknown-cost",
  },
  {
    what: "to leave all jobs to workers that share nothing with it",
    flags: ["--yes", "--workers", "0"],
    code: 2,
    says: "name what they share with --store",
  },
  {
    what: "another arm than the experiment's",
    flags: ["--yes", "--arms", "ful"],
    code: 2,
    says: `--arms: there is no arm "ful"; there are baseline.`,
  },
  {
    what: "a selection of nothing",
    flags: ["--yes", "--filter", "^z"],
    code: 2,
    says: "--filter ^z matches none of 1 instances.",
  },
  {
    what: "settings that no arm has",
    trial: { arms: [{ name: "mine", settings: { agent: { stepLimits: 3 } } }] },
    flags: ["--yes"],
    code: 2,
    says: "unknown key agent.stepLimits; did you mean agent.stepLimit?",
  },
  {
    what: "memories across issues without a bank, so that nobody's own is read",
    trial: { arms: [{ name: "mine", settings: { experience: { names: ["adarepair"] } } }] },
    flags: ["--yes"],
    code: 2,
    says: "The arm mine recalls from adarepair, but its experiment names no bank.",
  },
  {
    what: "a bank that is not there",
    trial: { more: { experience: { names: ["adarepair"], bank: "gone.db" } } },
    flags: ["--yes"],
    code: 2,
    says: "gone.db. Make one first with pmcoder experience learn --bank FILE.",
  },
  {
    what: "an arm's file that is not there",
    trial: { arms: ["gone.yaml"] },
    flags: ["--yes"],
    code: 2,
    says: "gone.yaml: there is no such file",
  },
  {
    what: "an arm that nobody knows",
    trial: { arms: ["ful"] },
    flags: ["--yes"],
    code: 2,
    says: "Name an arm's file, or one of pmcoder's own: baseline, full, memory-only, plan-only.",
  },
];

describe("pmcoder eval run refuses", () => {
  it.each(refusals)("$what", async ({ trial, flags = [], env = {}, code, says }) => {
    const at = world();
    const output = join(at.folder, "out");
    const file = putTrial(at, { instances, ...trial });
    const ran = await pmcoder(at, ["eval", "run", file, "--output", output, ...flags], { env });
    expect(ran.err).toContain(says);
    expect(ran.code).toBe(code);
    expect(namesIn(output)).not.toContain("experiment.json");
  });

  it("to begin a run that could pass the cap, without asking the model anything", async () => {
    const at = world();
    const output = join(at.folder, "out");
    const more = { caps: { totalUsd: 2.5, perRunUsd: 3 }, model: haiku };
    const file = putTrial(at, { instances, more });
    const { code, err } = await pmcoder(
      at,
      ["eval", "run", file, "--output", output, "--yes", "--base-url", "https://api.anthropic.com"],
      { env: { PMCODER_API_KEY: "k" } },
    );
    expect(err).toContain("could pass the cap of $2.50. Raise caps.totalUsd");
    expect(code).toBe(3);
    expect(jobsIn(output)).toEqual([]);
  });

  it("a second process in the same folder", async () => {
    const at = world();
    const output = join(at.folder, "out");
    const slow = { instances, turns: ["sleep 2", submit] };
    const line = ["eval", "run", putTrial(at, slow), "--output", output, "--yes"];
    const codes = await Promise.all([pmcoder(at, line), pmcoder(at, line)]);
    expect(codes.map(({ code }) => code).sort()).toEqual([0, 2]);
    const refused = codes.find(({ code }) => code === 2);
    expect(refused?.err).toContain("works on run experiment trial");
  });
});
