import { describe, expect, it } from "vitest";
import { mergeConfig } from "../../src/cli/merge-config.ts";
import { type RunFlags, runCommandLine } from "../../src/cli/run-command.ts";
import { armName, settingsOfFlags } from "../../src/cli/run-settings.ts";

function flagsOf(...args: readonly string[]): RunFlags {
  return runCommandLine()
    .parse([...args], { from: "user" })
    .opts();
}

describe("the flags of run as settings", () => {
  it("are none when none is given", () => {
    expect(settingsOfFlags(flagsOf())).toEqual([]);
  });

  it.each([
    ["--no-planner", (config: Config) => config.planner.on, false, "full no-planner"],
    ["--no-memory", (config: Config) => config.memory.on, false, "full no-memory"],
    ["--no-grounding", (config: Config) => config.grounding.on, false, "full no-grounding"],
    ["--no-integrity", (config: Config) => config.grounding.integrity, false, "full no-integrity"],
    ["--no-injection", (config: Config) => config.injection.on, false, "full no-injection"],
    ["--placebo", (config: Config) => config.injection.placebo, true, "full placebo"],
    ["--seed=7", (config: Config) => config.seed, 7, "full"],
    [
      "--base-url=http://127.0.0.1:1/v1",
      (c: Config) => c.model.baseUrl,
      "http://127.0.0.1:1/v1",
      "full",
    ],
    ["--command-timeout=1.5", (c: Config) => c.environment.commandTimeoutSec, 1.5, "full"],
  ] as const)("%s reaches the configuration and the arm's name", (flag, read, value, arm) => {
    const flags = flagsOf(flag);
    const { config } = mergeConfig(settingsOfFlags(flags));
    expect(read(config)).toBe(value);
    expect(armName(config.arm, flags)).toBe(arm);
  });

  it("cut each coupling that --decouple names", () => {
    const flags = flagsOf("--decouple", "phase-retrieval,stats-plan", "--decouple", "verdict-plan");
    expect(mergeConfig(settingsOfFlags(flags)).config.couplings).toEqual({
      phaseRetrieval: false,
      subtaskRetrieval: true,
      statsPlan: false,
      verdictPlan: false,
    });
    expect(armName("full", flags)).toBe("full no-phase-retrieval no-stats-plan no-verdict-plan");
  });

  it("name the flag where a value is wrong", () => {
    expect(() => mergeConfig(settingsOfFlags(flagsOf("--base-url", "ftp://x")))).toThrow(
      /^--base-url: model\.baseUrl must be an http or https URL/,
    );
  });
});

type Config = ReturnType<typeof mergeConfig>["config"];
