import { describe, expect, it } from "vitest";
import { runEpisode } from "../../../src/agent/episode.ts";
import type { Experience } from "../../../src/domain/briefing.ts";
import type { EpisodeEvent } from "../../../src/domain/episode.ts";
import { solveBy } from "../../../src/workflows/solve-by.ts";
import { sweExpSearch } from "../../../src/workflows/swe-exp/search.ts";
import { testEpisode } from "../../episode-parts.ts";
import { type Brain, files, issue, solver, thinking } from "./brain.ts";

/** Memories that say this on entering a phase. */
const saying = (words: Readonly<Record<string, string | null>>): Experience => ({
  target: { instanceId: null, repo: null, issue, createdAt: null },
  open: () => async (occasion) => {
    const { phase, entry } = occasion;
    const block = words[phase] ?? null;
    return { brief: { phase, entry, block, recalled: [], waiting: [], denied: {} }, failures: [] };
  },
});

async function searched(brain: Brain, words: Parameters<typeof saying>[0]) {
  const model = thinking({ ...solver, ...brain });
  const config = { workflow: { name: "swe-exp", sweExp: { maxNodes: 5 } } };
  const { parts, events } = await testEpisode(model, files, { issue, config });
  await runEpisode({ ...parts, experience: saying(words), solve: solveBy(sweExpSearch) });
  const prompts = (purpose: string) =>
    model.requests
      .filter((request) => request.purpose === purpose)
      .map(({ messages }) => messages.map(({ content }) => content).join("\n"));
  const wanted = events.flatMap((event: EpisodeEvent) =>
    event.type === "node" && event.instruction?.type === "modify"
      ? [event.instruction.instructions]
      : [],
  );
  return { prompts, wanted };
}

const words = {
  explore: "[LTM]\nAreas grow old.\n[/LTM]",
  implement: "[LTM]\nKeep no copy.\n[/LTM]",
};

describe("experience in the search", () => {
  it("is background for whoever plans, and sharpens instructions to change code", async () => {
    const reuse = (prompt: string) =>
      prompt.includes("new_experience")
        ? { new_experience: "Perhaps the side is counted once." }
        : { enhanced_instruction: "modify it, and keep no copy" };
    const { prompts, wanted } = await searched({ reuse }, words);
    const [first = "", ...others] = prompts("reuse");
    expect(first).toContain("Areas grow old.");
    expect(others.every((prompt) => prompt.includes("Keep no copy."))).toBe(true);
    expect(prompts("instruct").every((prompt) => prompt.includes("counted once."))).toBe(true);
    expect(prompts("assist").some((prompt) => prompt.includes("counted once."))).toBe(false);
    expect(new Set(wanted)).toEqual(new Set(["modify it, and keep no copy"]));
    expect(others).toHaveLength(wanted.length);
  });

  it("is told as it is, and changes no instruction, where it cannot be fitted", async () => {
    const { prompts, wanted } = await searched({ reuse: () => "hm" }, words);
    expect(prompts("instruct").every((prompt) => prompt.includes("Areas grow old."))).toBe(true);
    expect(new Set(wanted)).toEqual(new Set(["modify it"]));
  });

  it("costs no call where there is none", async () => {
    const { prompts } = await searched({}, {});
    expect(prompts("reuse")).toEqual([]);
    expect(prompts("instruct").some((prompt) => prompt.includes("Background"))).toBe(false);
  });
});
