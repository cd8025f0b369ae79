import { describe, expect, it } from "vitest";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import { atifTrajectory } from "../../src/trajectories/atif.ts";
import { beginEvent, call, episodeEvents, observed, recorded, reply } from "./recorded-episode.ts";

const iso = (at: number) => new Date(at).toISOString();
const exported = (events: readonly EpisodeEvent[]) =>
  atifTrajectory(recorded("run-1", events), iso);

const advice: EpisodeEvent = {
  type: "advice",
  step: 1,
  callId: "c1",
  block: "[PLANMEM]\nphase=explore done=0/4\n[/PLANMEM]",
  hint: null,
  phase: "explore",
  policyPhase: "explore",
  subTask: { id: "s1", title: "Find area()" },
  done: 0,
  total: 4,
  backtrack: false,
  stuck: null,
  retrieved: [3, 2],
};

const turn = [reply(1, "Look.", [call("c1", "cat area.py")]), observed(1, "c1", "side = 2\n")];

describe("atifTrajectory", () => {
  it("numbers steps from 1, each with who it is from and what it called", () => {
    const { steps } = exported(episodeEvents("run-1"));
    const told = steps.map(({ step_id, source, tool_calls, observation, llm_call_count }) => [
      step_id,
      source,
      tool_calls?.length ?? 0,
      observation?.results.map(({ source_call_id }) => source_call_id) ?? [],
      llm_call_count ?? null,
    ]);
    expect(told).toEqual([
      [1, "system", 0, [], null],
      [2, "user", 0, [], null],
      [3, "agent", 2, ["c1", "c2"], 1],
      [4, "agent", 1, ["c3"], 1],
      [5, "agent", 0, [], 1],
      [6, "user", 0, [], null],
      [7, "agent", 1, ["c4"], 1],
      [8, "agent", 1, ["c5"], 1],
    ]);
  });

  it("writes head, totals and what is ours", () => {
    const { steps, agent, extra, ...rest } = exported(episodeEvents("run-1"));
    expect(rest).toEqual({
      schema_version: "ATIF-v1.7",
      session_id: "run-1",
      trajectory_id: "run-1",
      notes: "2 files were left out of the copy.",
      final_metrics: {
        total_prompt_tokens: 5000,
        total_completion_tokens: 250,
        total_cached_tokens: 2000,
        total_cost_usd: 0.0125,
        total_steps: steps.length,
      },
    });
    expect(agent).toMatchObject({ name: "pmcoder", version: "0.1.0", model_name: "scripted:test" });
    expect(extra).toMatchObject({ instance_id: "shapes__area-7", exit_status: "submitted" });
    expect(steps[7]).toMatchObject({
      timestamp: "2026-11-30T14:25:17.000Z",
      metrics: { prompt_tokens: 1000, completion_tokens: 50, cached_tokens: 400, cost_usd: 0.0025 },
      extra: { step: 5, purpose: "act", submission: { text: "" } },
    });
  });

  it("tells what planner and memory made of a turn in a step that asked no model", () => {
    const { steps } = exported([beginEvent("run-1"), ...turn, advice]);
    const { type: _type, ...record } = advice;
    expect(steps[1]).toEqual({
      step_id: 2,
      timestamp: expect.any(String),
      source: "agent",
      message: "explore 0/4 · Find area() · recalled 2 messages",
      llm_call_count: 0,
      extra: { advice: record },
    });
  });

  it("shows a tool result as the model saw it, and keeps what grounding found", () => {
    const note = "area.py does not parse: line 1.";
    const integrity: EpisodeEvent = {
      type: "integrity",
      step: 1,
      callId: "c1",
      checked: ["area.py"],
      corrupt: [{ file: "area.py", line: 1, message: "unexpected" }],
      note,
    };
    const [first] = exported([beginEvent("run-1"), ...turn, integrity, advice]).steps;
    const seen = `<returncode>0</returncode>\n<output>\nside = 2\n</output>\n\n${note}\n\n[PLANMEM]\nphase=explore done=0/4\n[/PLANMEM]`;
    expect(first?.observation).toEqual({ results: [{ source_call_id: "c1", content: seen }] });
    expect(first?.extra).toMatchObject({ integrity: { checked: ["area.py"], note } });
  });

  it("keeps the thinking that a provider showed, and no price that is not known", () => {
    const spoken = reply(1, "Hm.", []);
    if (spoken.type !== "reply") throw new Error("no reply");
    const native = { provider: "anthropic", blocks: [{ type: "thinking", thinking: "So." }] };
    const message = { ...spoken.message, native };
    const { steps, final_metrics } = exported([
      beginEvent("run-1"),
      { ...spoken, message, cost: null },
    ]);
    expect(steps[0]?.reasoning_content).toBe("So.");
    expect(steps[0]?.metrics).not.toHaveProperty("cost_usd");
    expect(final_metrics).not.toHaveProperty("total_cost_usd");
  });
});
