import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gatherSettings, settingsOfArgument, userConfigPath } from "../../src/cli/config-file.ts";
import { mergeConfig } from "../../src/cli/merge-config.ts";
import { settingsOfText } from "../../src/cli/settings.ts";
import { temporaryFolder } from "./temporary-folder.ts";

describe("the user's file", () => {
  it.each([
    [{ HOME: "/home/a" }, "/home/a/.config/pmcoder/config.yaml"],
    [{ HOME: "/home/a", XDG_CONFIG_HOME: "/etc/xdg" }, "/etc/xdg/pmcoder/config.yaml"],
    [{ HOME: "/home/a", XDG_CONFIG_HOME: "relative" }, "/home/a/.config/pmcoder/config.yaml"],
    [{ HOME: "/home/a", XDG_CONFIG_HOME: "" }, "/home/a/.config/pmcoder/config.yaml"],
    [{}, null],
  ])("of %j is %s", (env, path) => {
    expect(userConfigPath(env)).toBe(path);
  });
});

describe("layers", () => {
  it("go from the user's file over -c, left to right, to flags", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "pmcoder"));
    const own = "model: anthropic:own\nseed: 5\nmemory:\n  lambda: 0.1\n  wc: 0.1\n  wg: 0.1\n";
    writeFileSync(join(folder, "pmcoder", "config.yaml"), own);
    writeFileSync(join(folder, "arm.yaml"), "memory:\n  lambda: 0.2\n  wc: 0.2\n");
    const settings = gatherSettings({
      env: { XDG_CONFIG_HOME: folder },
      cwd: folder,
      arguments: ["memory.wc=0.9", "arm.yaml", "memory.wg=0.3"],
      flags: settingsOfText("model.name", "openai:flag", "--model"),
    });
    const { config, sources } = mergeConfig(settings);
    expect(config.memory).toMatchObject({ lambda: 0.2, wc: 0.2, wg: 0.3 });
    expect(config.model.name).toBe("openai:flag");
    expect(Object.fromEntries(sources)).toEqual({
      seed: `${join(folder, "pmcoder", "config.yaml")}:2`,
      "memory.lambda": "arm.yaml:2",
      "memory.wc": "arm.yaml:3",
      "memory.wg": "-c",
      "model.name": "--model",
    });
  });

  it("do without a user's file", () => {
    const inputs = { env: { HOME: temporaryFolder() }, cwd: "/", arguments: [], flags: [] };
    expect(gatherSettings(inputs)).toEqual([]);
  });

  it("take nothing from the folder they stand in", () => {
    const folder = temporaryFolder();
    for (const name of ["config.yaml", ".pmcoder.yaml", "pmcoder.yaml"]) {
      writeFileSync(join(folder, name), "model: openai:theirs\n");
    }
    const inputs = { env: { HOME: temporaryFolder() }, cwd: folder, arguments: [], flags: [] };
    expect(gatherSettings(inputs)).toEqual([]);
  });
});

describe("an argument of -c that is neither", () => {
  it.each([
    ["step-limit=3", "-c step-limit=3: there is no such file. Give a YAML file, or a setting"],
    ["none.yaml", "-c none.yaml: there is no such file."],
    [".", "The configuration . cannot be read: EISDIR"],
  ])("%s", (argument, message) => {
    expect(() => settingsOfArgument(argument, temporaryFolder())).toThrow(
      expect.objectContaining({ code: "usage", message: expect.stringContaining(message) }),
    );
  });
});
