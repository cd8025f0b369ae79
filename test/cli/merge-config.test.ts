import { describe, expect, it } from "vitest";
import { mergeConfig } from "../../src/cli/merge-config.ts";
import { settingsOfText, settingsOfYaml } from "../../src/cli/settings.ts";
import { RunConfig } from "../../src/domain/config/run-config.ts";

const defaults = RunConfig.parse({});
const pair = (key: string, value: string) => settingsOfText(key, value, "-c");
const merged = (key: string, value: string) => mergeConfig(pair(key, value)).config;

function complaint(merge: () => unknown): string {
  try {
    merge();
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  return "accepted";
}

describe("a setting on the command line", () => {
  it.each([
    ["memory.lambda", "0.7", 0.7],
    ["agent.costLimit", "null", null],
    ["model.name", "replay:x", "replay:x"],
    ["model.name", "replay:{", "replay:{"],
    ["model.name", "", null],
    ["planner.on", "true", true],
    ["planner.phaseBudget.explore", "5", 5],
    ["environment.env.DEPTH", "1", "1"],
    ["environment.env.FLAG", "true", "true"],
    ["arm", "7", "7"],
  ])("%s=%s", (key, text, value) => {
    const at = key
      .split(".")
      .reduce<unknown>((tree, name) => Reflect.get(Object(tree), name), merged(key, text));
    expect(at).toBe(value);
  });

  it("sets several keys of a group by a flow, and leaves the others alone", () => {
    const { memory } = merged("memory", "{on: true, wc: 0.2}");
    expect(memory).toEqual({ ...defaults.memory, on: true, wc: 0.2 });
  });

  it("adds a variable for commands to the default ones", () => {
    expect(merged("environment.env.TZ", "UTC").environment.env).toEqual({
      ...defaults.environment.env,
      TZ: "UTC",
    });
    expect(RunConfig.parse({}).environment.env).not.toHaveProperty("TZ");
  });

  it("takes the model's name in place of its group", () => {
    expect(merged("model", "anthropic:a").model).toEqual({
      ...defaults.model,
      name: "anthropic:a",
    });
  });
});

describe("layers", () => {
  it("lets the later setting win and tells where each value comes from", () => {
    const file = settingsOfYaml("memory:\n  lambda: 0.1\n  wc: 0.2\nplanner:\n", "mine.yaml");
    const { config, sources } = mergeConfig([...file, ...pair("memory.lambda", "0.9")]);
    expect(config.memory).toEqual({ ...defaults.memory, lambda: 0.9, wc: 0.2 });
    expect(Object.fromEntries(sources)).toEqual({
      "memory.lambda": "-c",
      "memory.wc": "mine.yaml:3",
    });
  });

  it("gives the defaults for an empty file", () => {
    expect(mergeConfig(settingsOfYaml("# nothing yet\n", "a.yaml")).config).toEqual(defaults);
  });
});

describe("an unknown key", () => {
  it.each([
    ["memory.lamda", "memory.lambda"],
    ["lambda", "memory.lambda"],
    ["agent.step_limit", "agent.stepLimit"],
    ["model.stepLimit", "agent.stepLimit"],
    ["planner.phaseBudget.explor", "planner.phaseBudget.explore"],
    ["memry", "memory"],
    ["model.Name", "model.name"],
  ])("%s is answered with %s", (key, known) => {
    expect(complaint(() => merged(key, "1"))).toBe(
      `PmcoderError: -c: unknown key ${key}; did you mean ${known}?`,
    );
  });

  it.each([
    "__proto__.polluted",
    "memory.__proto__.polluted",
    "environment.env.__proto__",
    "constructor.prototype.polluted",
    "toString",
  ])("%s reaches no prototype", (key) => {
    expect(complaint(() => merged(key, "1"))).toContain(`unknown key ${key}`);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  it("in a file is named with its line, and a prototype is no key there either", () => {
    const text = "model: a:b\nmemory:\n  lamda: 0.5\n__proto__:\n  on: true\n";
    expect(complaint(() => mergeConfig(settingsOfYaml(text, "mine.yaml")))).toMatchInlineSnapshot(`
      "PmcoderError: mine.yaml:3: unknown key memory.lamda; did you mean memory.lambda?
      mine.yaml:5: unknown key __proto__.on; did you mean planner.on?"
    `);
  });

  it("never shows its value, which may be a secret", () => {
    expect(complaint(() => merged("model.apiKey", "sk-1234"))).not.toContain("sk-1234");
  });
});

describe("a wrong value", () => {
  it.each([
    ["memory.lambda", "high", 'a number, found "high"'],
    ["memory.lambda", "2", "at most 1, found 2"],
    ["agent.stepLimit", "0", "more than 0, found 0"],
    ["agent.stepLimit", "1.5", "a whole number, found 1.5"],
    ["agent.costLimit", "-1", "more than 0 or null, found -1"],
    ["agent.costLimit", "free", 'a number or null, found "free"'],
    ["environment.kind", "podman", 'docker, bubblewrap, local or null, found "podman"'],
    ["model.baseUrl", "localhost", 'an http or https URL or null, found "localhost"'],
    ["planner.on", "yes", 'true or false, found "yes"'],
    ["memory.lambda", "{a: 1}", "a number, found a mapping"],
    ["memory.lambda", "[0.1]", "a number, found a list"],
    [
      "planner.phaseBudget",
      "fast",
      'a group of keys (explore, hypothesize, implement, verify, backtrack), found "fast"',
    ],
  ])("%s=%s is answered with what was expected", (key, value, answer) => {
    expect(complaint(() => merged(key, value))).toBe(`PmcoderError: -c: ${key} must be ${answer}.`);
  });

  it("is told together with every other one", () => {
    const text = "memory:\n  lambda: high\n  wc: 7\n";
    expect(complaint(() => mergeConfig(settingsOfYaml(text, "mine.yaml")))).toMatchInlineSnapshot(`
      "PmcoderError: mine.yaml:2: memory.lambda must be a number, found "high".
      mine.yaml:3: memory.wc must be at most 1, found 7."
    `);
  });
});

describe("a file that is no configuration", () => {
  it.each([
    ["a list", "- 1\n", ' must be a mapping of keys such as "model: …".'],
    [
      "broken YAML",
      "model: [a\n",
      ":2 is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ]",
    ],
    ["two documents", "arm: a\n---\narm: b\n", ":2: only one YAML document is read."],
    ["a key twice", "arm: a\narm: b\n", ":2 is not YAML: Map keys must be unique"],
    [
      "dotted keys",
      "arm: a\nmemory.lambda: 1\n",
      ':2: write "memory.lambda" as nested keys, one a level.',
    ],
    ["aliases", "arm: &a x\nmodel: *a\n", ":2: write the value out; aliases (*) are not read."],
  ])("%s", (_, text, answer) => {
    expect(complaint(() => settingsOfYaml(text, "mine.yaml"))).toBe(
      `PmcoderError: mine.yaml${answer}`,
    );
  });
});
