import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "@commander-js/extra-typings";
import { describe, expect, it } from "vitest";
import { configOf } from "../../src/cli/config-command.ts";
import { runCommand } from "./run-command-in.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const pmcoderConfig = (home: string, ...args: readonly string[]) =>
  runCommand(configOf, { home, args });

describe("pmcoder config", () => {
  it("sets a key in the user's file, and prints it from then on", async () => {
    const home = temporaryFolder();
    const path = join(home, ".config", "pmcoder", "config.yaml");
    expect(await pmcoderConfig(home, "set", "model", "anthropic:a")).toEqual({
      codes: [0],
      out: "",
      err: `model is set in ${path}\n`,
    });
    expect(readFileSync(path, "utf8")).toBe("model:\n  name: anthropic:a\n");
    const { codes, out } = await pmcoderConfig(home, "--json", "-c", "seed=3", "-c", "seed=4");
    expect(codes).toEqual([0]);
    expect(JSON.parse(out)).toMatchObject({ model: { name: "anthropic:a" }, seed: 4 });
    expect((await pmcoderConfig(home)).out).toContain(`  name: anthropic:a # ${path}:2\n`);
  });

  it("leaves exit and output of set to the program", async () => {
    const said: string[] = [];
    const program = (...[io, done]: Parameters<typeof configOf>) =>
      configOf(io, done).copyInheritedSettings(
        new Command().exitOverride().configureOutput({ writeErr: (text) => said.push(text) }),
      );
    const set = runCommand(program, { home: temporaryFolder(), args: ["set", "model"] });
    await expect(set).rejects.toMatchObject({ code: "commander.missingArgument" });
    expect(said.join("")).toContain("missing required argument 'value'");
  });

  it("refuses an unknown key", async () => {
    await expect(pmcoderConfig(temporaryFolder(), "set", "modl", "a:b")).rejects.toThrow(
      "unknown key modl; did you mean model?",
    );
  });
});
