import { describe, expect, it } from "vitest";
import { parseExperiment } from "../../../src/eval/experiment/parse.ts";

const least = `name: mine
dataset: rows.jsonl
arms: [baseline, full]
seeds: 1-2
caps: { totalUsd: 20 }
`;

function complaint(text: string): string {
  try {
    parseExperiment(text, "mine.yaml");
  } catch (error) {
    return String(error);
  }
  return "accepted";
}

describe("an experiment file", () => {
  it("says little and means all of it", () => {
    expect(parseExperiment(least, "mine.yaml")).toEqual({
      name: "mine",
      description: "",
      dataset: "rows.jsonl",
      arms: [
        { name: "baseline", from: "baseline", settings: {} },
        { name: "full", from: "full", settings: {} },
      ],
      seeds: [1, 2],
      model: null,
      environment: null,
      settings: {},
      experience: null,
      caps: { perRunUsd: 3, totalUsd: 20 },
      workers: 4,
      retries: { run: 2, grading: 1 },
      imageCache: 100_000_000_000,
      grading: { generation: "v5", timeoutSec: 1800, gold: true },
      orderSeed: 1,
    });
  });

  it.each([
    ["arms/mine.yaml", { name: "mine", from: "arms/mine.yaml", settings: {} }],
    ["{ from: ../b/x.yml }", { name: "x", from: "../b/x.yml", settings: {} }],
    ["{ name: bare }", { name: "bare", from: null, settings: {} }],
    [
      "{ name: cut, from: full, settings: { memory: { lambda: 1 } } }",
      { name: "cut", from: "full", settings: { memory: { lambda: 1 } } },
    ],
  ])("names an arm as %s", (arm, parsed) => {
    const text = least.replace("[baseline, full]", `[${arm}]`);
    expect(parseExperiment(text, "mine.yaml").arms).toEqual([parsed]);
  });

  it.each([
    ["1", [1]],
    ["[3, 1]", [3, 1]],
    ["1-3,7", [1, 2, 3, 7]],
    ["'2 - 4'", [2, 3, 4]],
  ])("has the seeds %s", (seeds, parsed) => {
    const text = least.replace("1-2", seeds);
    expect(parseExperiment(text, "mine.yaml").seeds).toEqual(parsed);
  });

  it.each([
    ["60 GB", 60e9],
    ["1.5TiB", 1_649_267_441_664],
    ["0", 0],
    ["2kB", 2000],
  ])("keeps images up to %s", (size, bytes) => {
    expect(parseExperiment(`${least}imageCache: ${size}\n`, "mine.yaml").imageCache).toBe(bytes);
  });
});

describe("a wrong experiment file", () => {
  it.each([
    ["seed: 1", "mine.yaml:6: unknown key seed; did you mean seeds?"],
    ["worker: 1", "mine.yaml:6: unknown key worker; did you mean workers?"],
    ["grading: { generatoin: v4 }", "mine.yaml:6: unknown key grading.generatoin; did you mean "],
    ["retries: { x: 1 }", "mine.yaml:6: unknown key retries.x; known are run, grading."],
    ["workers: 0", "mine.yaml:6: workers must be at least 1."],
    ["workers: two", "mine.yaml:6: workers must be a whole number."],
    ["model: gpt", "mine.yaml:6: model must be provider:name."],
    ["environment: dokcer", "mine.yaml:6: environment must be docker, bubblewrap or local."],
    ["imageCache: much", "mine.yaml:6: imageCache must be a size such as 60 GB."],
    ["grading: { generation: 5 }", "mine.yaml:6: grading.generation must be v4 or v5."],
    ["grading: v5", "mine.yaml:6: grading must be a mapping with generation, timeoutSec and gold."],
    ["experience: { names: [experepair] }", "mine.yaml:6: experience.bank is missing."],
    [
      "experience: { bank: b, names: [me] }",
      "mine.yaml:6: experience.names.0 must be one of repomem, exp",
    ],
    [
      "experience: { bank: b, bnk: b }",
      "mine.yaml:6: unknown key experience.bnk; did you mean bank?",
    ],
    [
      "settings: { experience: { bank: b } }",
      "mine.yaml:6: settings: experience.bank stands in `experience.bank`.",
    ],
    ["settings: [a]", "mine.yaml:6: settings must be a mapping of settings such as {agent: "],
    ["settings: { seed: 2 }", "mine.yaml:6: settings: seed stands in `seeds`."],
    ["settings: { model: openai:x }", "mine.yaml:6: settings: model stands in `model`."],
    [
      "settings:\n  agent: { costLimit: 2, stepLimit: 9 }",
      "mine.yaml:7: settings: agent.costLimit stands in `caps.perRunUsd`.",
    ],
    ["name: other", "mine.yaml:6 is not YAML: Map keys must be unique"],
    ["seeds", "mine.yaml:6 is not YAML: "],
  ])("with %j is told so", (line, message) => {
    expect(complaint(`${least}${line}\n`)).toContain(`PmcoderError: ${message}`);
  });

  it.each([
    ["[baseline, full]", "[full, full]", "mine.yaml:3: arms names an arm twice; give one"],
    ["[baseline, full]", "[]", "mine.yaml:3: arms is empty."],
    ["[baseline, full]", "full", "mine.yaml:3: arms must be a list of arms."],
    ["[baseline, full]", "[7]", "mine.yaml:3: arms.0 must be the name of an arm, a file, or"],
    ["[baseline, full]", "[{ settings: {} }]", "mine.yaml:3: arms.0.name is missing."],
    ["[baseline, full]", "[a b]", "mine.yaml:3: arms.0.name is missing."],
    ["[baseline, full]", "[{ name: a/b }]", "arms.0.name must be letters, digits, dots"],
    ["[baseline, full]", "[{ nam: a }]", "mine.yaml:3: unknown key arms.0.nam; did you mean name?"],
    [
      "[baseline, full]",
      "\n  - full\n  - { name: a, settings: { arm: b } }",
      "mine.yaml:5: arms.1.settings: arm stands in the arm's `name`.",
    ],
    ["1-2", "[1, 1]", "mine.yaml:4: seeds names a seed twice."],
    ["1-2", "[]", "mine.yaml:4: seeds is empty."],
    ["1-2", "2-1", "mine.yaml:4: seeds must be a list of whole numbers, or a range such as 1-3."],
    ["1-2", "1-9999999", "mine.yaml:4: seeds must be a list of whole numbers"],
    ["1-2", "[-1]", "mine.yaml:4: seeds.0 must not be negative."],
    ["caps: { totalUsd: 20 }", "", "mine.yaml: caps is missing."],
    ["{ totalUsd: 20 }", "{}", "mine.yaml:5: caps.totalUsd is missing."],
    ["{ totalUsd: 20 }", "20", "mine.yaml:5: caps must be a mapping with totalUsd and perRunUsd."],
    ["name: mine", "name: ../x", "mine.yaml:1: name must be letters, digits, dots, dashes or"],
  ])("%s written as %j is told so", (right, wrong, message) => {
    expect(complaint(least.replace(right, wrong))).toContain(message);
  });

  it("tells everything at once", () => {
    expect(complaint("nam: a\nseeds: x\narms: []\n")).toMatchInlineSnapshot(`
      "PmcoderError: mine.yaml: name is missing.
      mine.yaml: dataset is missing.
      mine.yaml:3: arms is empty.
      mine.yaml:2: seeds must be a list of whole numbers, or a range such as 1-3.
      mine.yaml: caps is missing.
      mine.yaml:1: unknown key nam; did you mean name?"
    `);
  });

  it.each(["", "- a", "text"])("that is no mapping (%j) is told what one is", (text) => {
    expect(complaint(text)).toMatch(
      /^PmcoderError: mine\.yaml: an experiment is a mapping with name/,
    );
  });
});
