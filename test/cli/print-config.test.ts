import { describe, expect, it } from "vitest";
import { configFields } from "../../src/cli/config-fields.ts";
import { mergeConfig } from "../../src/cli/merge-config.ts";
import { printConfig, renderConfig } from "../../src/cli/print-config.ts";
import { settingsOfText, settingsOfYaml } from "../../src/cli/settings.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { pipe } from "./text-streams.ts";

const changed = mergeConfig([
  ...settingsOfText("memory.lambda", "0.9", "-c"),
  ...settingsOfText("model.name", "replay:x", "--model"),
  ...settingsOfText("environment.env.TZ", "UTC", "mine.yaml:4"),
]);

describe("the printed configuration", () => {
  it("reads back as the same configuration", () => {
    const again = mergeConfig(settingsOfYaml(renderConfig(changed), "printed.yaml"));
    expect(again.config).toEqual(changed.config);
  });

  it("describes every constant, in lines that fit a terminal", () => {
    const text = renderConfig(changed);
    const unwrapped = text.replaceAll(/\n\s*# /g, " ");
    expect(configFields.filter(({ description }) => description === "")).toEqual([]);
    expect(configFields.filter(({ description }) => !unwrapped.includes(description))).toEqual([]);
    expect(text.split("\n").filter((line) => line.length > 102)).toEqual([]);
  });

  it("tells where a value comes from that is not the default", () => {
    const text = renderConfig(changed);
    expect(text.split("\n").filter((line) => / # (-c|--model|mine)/.test(line))).toEqual([
      "  name: replay:x # --model",
      "    TZ: UTC # mine.yaml:4",
      "  lambda: 0.9 # -c",
    ]);
  });

  it("reads like this", () => {
    const text = renderConfig(mergeConfig([]));
    expect(
      text.slice(text.indexOf("# The episodic memory"), text.indexOf("  # Graph weight")),
    ).toMatchInlineSnapshot(`
      "# The episodic memory.
      memory:
        # The episodic memory. Our choice of default: the full arm.
        on: true
        # MMR weight of relevance against diversity (Table II: 0.7).
        lambda: 0.7
        # Lexical weight (Table II: 0.5).
        wc: 0.5
      "
    `);
  });
});

describe("printing", () => {
  function printed(json: boolean) {
    const stdout = pipe();
    const io = { env: { HOME: temporaryFolder() }, cwd: "/", stdout };
    printConfig({ json, arguments: ["seed=7", "memory.lambda=0.9"] }, io);
    return stdout.text();
  }

  it("is YAML for people", () => {
    expect(mergeConfig(settingsOfYaml(printed(false), "p.yaml")).config.seed).toBe(7);
  });

  it("is one JSON object when asked for", () => {
    const text = printed(true);
    expect(text.split("\n")).toHaveLength(2);
    expect(JSON.parse(text)).toMatchObject({ seed: 7, memory: { lambda: 0.9 } });
  });
});
