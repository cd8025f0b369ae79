import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { setUserConfig, withSetting } from "../../src/cli/set-config.ts";
import { temporaryFolder } from "./temporary-folder.ts";

describe("the text of a file with one key set", () => {
  it.each([
    ["an empty file", "", "model", "anthropic:a", "model:\n  name: anthropic:a\n"],
    ["only comments", "# mine\n", "seed", "3", "# mine\n\nseed: 3\n"],
    ["a name alone", "model: openai:a # why\n", "model", "openai:b", "model: openai:b # why\n"],
    ["a name alone, by its full key", "model: a:b\n", "model.name", "c:d", "model: c:d\n"],
    [
      "a name alone that needs a neighbour",
      "model: openai:a\n",
      "model.baseUrl",
      "http://127.0.0.1:1/v1",
      "model:\n  name: openai:a\n  baseUrl: http://127.0.0.1:1/v1\n",
    ],
    [
      "a group",
      "model:\n  baseUrl: null\n",
      "model",
      "a:b",
      "model:\n  baseUrl: null\n  name: a:b\n",
    ],
    ["an empty group", "memory:\n", "memory.lambda", "0.5", "memory:\n  lambda: 0.5\n"],
    ["no limit", "", "agent.costLimit", "null", "agent:\n  costLimit: null\n"],
    [
      "two levels",
      "planner:\n",
      "planner.phaseBudget.verify",
      "9",
      "planner:\n  phaseBudget:\n    verify: 9\n",
    ],
    ["several keys", "", "memory", "{on: true, wc: 0.1}", "memory:\n  on: true\n  wc: 0.1\n"],
    ["text that looks like a number", "", "arm", "7", 'arm: "7"\n'],
  ])("%s", (_, text, key, value, result) => {
    expect(withSetting(text, key, value)).toBe(result);
  });

  it("keeps comments, order, quotes and blank lines", () => {
    const text = '# top\nmemory:\n  # why\n  lambda: 0.5 # half\n\narm: "x"\n';
    expect(withSetting(text, "memory.lambda", "0.9")).toBe(text.replace("0.5", "0.9"));
  });
});

describe("setting a key in the user's file", () => {
  it("makes the file, then changes it, and leaves nothing beside it", () => {
    const env = { HOME: temporaryFolder() };
    const path = setUserConfig("model", "anthropic:a", env);
    setUserConfig("seed", "2", env);
    expect(readFileSync(path, "utf8")).toBe("model:\n  name: anthropic:a\nseed: 2\n");
    expect(readdirSync(join(env.HOME, ".config", "pmcoder"))).toEqual(["config.yaml"]);
  });

  it("writes through a link", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "pmcoder"));
    writeFileSync(join(folder, "dotfile.yaml"), "# mine\n");
    const link = join(folder, "pmcoder", "config.yaml");
    symlinkSync(join(folder, "dotfile.yaml"), link);
    setUserConfig("seed", "2", { XDG_CONFIG_HOME: folder });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "dotfile.yaml"), "utf8")).toBe("# mine\n\nseed: 2\n");
  });

  it.each([
    ["an unknown key", "memory.lamda", "1", "did you mean memory.lambda?"],
    ["a wrong value", "memory.lambda", "2", "must be at most 1, found 2"],
  ])("refuses %s and writes nothing", (_, key, value, message) => {
    const env = { HOME: temporaryFolder() };
    expect(() => setUserConfig(key, value, env)).toThrow(
      expect.objectContaining({ code: "usage", message: expect.stringContaining(message) }),
    );
    expect(existsSync(join(env.HOME, ".config"))).toBe(false);
  });

  it.each([
    ["model", "foo"],
    ["model.name", "acme:large"],
    ["model", "{name: openai}"],
  ])("refuses %s %s, which names no provider, and keeps the file as it was", (key, value) => {
    const env = { HOME: temporaryFolder() };
    const path = setUserConfig("model", "openai:a", env);
    const told =
      /The model ".+" is not known: expected provider:name, where provider is anthropic, openai .* or replay\. Nothing was changed\. For example: pmcoder config set model anthropic:NAME$/;
    expect(() => setUserConfig(key, value, env)).toThrow(
      expect.objectContaining({ code: "usage", message: expect.stringMatching(told) }),
    );
    expect(readFileSync(path, "utf8")).toBe("model:\n  name: openai:a\n");
  });

  it.each(["anthropic:a", "openai:qwen3:8b", "replay:runs/a.jsonl"])("takes %s", (name) => {
    const path = setUserConfig("model", name, { HOME: temporaryFolder() });
    expect(readFileSync(path, "utf8")).toBe(`model:\n  name: ${name}\n`);
  });

  it("refuses a file that is wrong elsewhere, naming the line, and keeps it as it was", () => {
    const env = { HOME: temporaryFolder() };
    const path = setUserConfig("seed", "2", env);
    writeFileSync(path, "seed: 2\nmemry:\n  on: true\n");
    expect(() => setUserConfig("seed", "3", env)).toThrow(`${path}:3: unknown key memry.on`);
    expect(readFileSync(path, "utf8")).toBe("seed: 2\nmemry:\n  on: true\n");
  });

  it("mends the very value that is wrong", () => {
    const env = { HOME: temporaryFolder() };
    const path = setUserConfig("seed", "2", env);
    writeFileSync(path, "seed: many\n");
    setUserConfig("seed", "3", env);
    expect(readFileSync(path, "utf8")).toBe("seed: 3\n");
  });

  it("says so when there is no home, and when the place cannot be written", () => {
    expect(() => setUserConfig("seed", "2", {})).toThrow(/HOME or XDG_CONFIG_HOME/);
    const folder = temporaryFolder();
    writeFileSync(join(folder, "pmcoder"), "a file where the folder should be");
    expect(() => setUserConfig("seed", "2", { XDG_CONFIG_HOME: folder })).toThrow(
      /config\.yaml cannot be (read|written): /,
    );
  });
});
