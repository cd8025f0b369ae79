import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runEpisode } from "../../src/agent/episode.ts";
import { rebuild } from "../../src/agent/rebuild.ts";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import { testEpisode } from "../episode-parts.ts";
import { type Scripted, scriptedModel } from "../scripted-model.ts";

const files = { "src/a.py": "x = 1\n", "tests/test_a.py": "assert True\n" };
const fullArm = { planner: { on: true }, memory: { on: true } };
const adviceIn = (events: readonly EpisodeEvent[]) =>
  events.filter(({ type }) => type === "advice");

const commands = [
  "cat src/a.py",
  "grep -rn x src",
  "echo 'x = 2' > src/a.py",
  "echo 'x = (' > src/a.py",
  "git checkout -- src/a.py",
  "python3 tests/test_a.py",
  "false",
  "git diff",
  "printf 'print(1)\\n' > repro.py; python3 repro.py",
];

async function episodeOf(script: readonly Scripted[]): Promise<readonly EpisodeEvent[]> {
  const plan: Scripted = { message: { role: "assistant", content: "no plan", calls: [] } };
  const config = { ...fullArm, agent: { maxFormatErrors: null, stepLimit: script.length || 1 } };
  const model = scriptedModel([plan, ...script]);
  const { parts, events } = await testEpisode(model, files, { config });
  await runEpisode(parts);
  return events;
}

describe("rebuild", () => {
  it("gives the same advice from the recorded events, read back as JSON", async () => {
    const turn = fc.oneof(
      fc.array(fc.constantFrom(...commands), { minLength: 1, maxLength: 3 }),
      fc.constant<Scripted>({ message: { role: "assistant", content: "Hm.", calls: [] } }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 12 }), async (script) => {
        const events = await episodeOf(script);
        const rebuilt = rebuild(JSON.parse(JSON.stringify(events)));
        expect(rebuilt?.advice).toEqual(adviceIn(events));
      }),
      { numRuns: 8 },
    );
  });

  it("gives the same state whether it is rebuilt at once or goes on from a part", async () => {
    const events = await episodeOf([["cat src/a.py", "git diff"], commands[2] ?? "", "false"]);
    const again = rebuild(events);
    expect(again?.state).toEqual(rebuild(JSON.parse(JSON.stringify(events)))?.state);
    expect(adviceIn(events)).toHaveLength(3);
  });

  it("is null for a run without planner and memory", async () => {
    const { parts, events } = await testEpisode(scriptedModel(["true"]), files);
    await runEpisode(parts);
    expect(rebuild(events)).toBeNull();
  });
});
