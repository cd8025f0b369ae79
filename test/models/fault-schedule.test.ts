import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runEpisode } from "../../src/agent/episode.ts";
import { conversationOf } from "../../src/domain/conversation.ts";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import { testEpisode } from "../episode-parts.ts";
import { anyFault, type Fault, failing, share } from "../loopback/faults.ts";
import { type Api, apis, type ScriptedTurn } from "../loopback/scripted-api.ts";
import { events as stream } from "../loopback/server.ts";

const note = (at: number) => `printf 'step ${at}\\n' >> notes.md && tail -n 2 notes.md`;

/** Turns that are no plain command, by their number. */
const odd: Readonly<Record<number, ScriptedTurn>> = {
  4: { text: "Two things.", commands: ["cat a.txt", "exit 3"] },
  7: { text: "", raw: '{"command": "echo "hi""}' },
  8: { text: "\n", commands: ["true"], thinking: "Nothing \n" },
  11: { text: " \n" },
  13: { text: "", stop: "refusal" },
  16: { text: "Three.", commands: ["echo 3 > c.txt", "rm c.txt", "ls; ls"], thinking: "" },
  17: { text: "I write", raw: '{"command": "echo cut >> notes.md', stop: "limit" },
  22: { text: "All at once.", commands: ["seq 1 4000", "sed -i s/1/2/ a.txt"] },
  30: { text: "Done.", commands: ["echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"] },
};

/** A plan, and then thirty turns. */
const script: readonly ScriptedTurn[] = [
  { text: "1. Explore the code\n2. Implement the fix\n3. Verify it" },
  ...Array.from({ length: 30 }, (_, n): ScriptedTurn => {
    const at = n + 1;
    const thought = at % 3 === 0 ? { thinking: `It is ${at}. \n` } : {};
    return odd[at] ?? { text: `Turn ${at}.`, commands: [note(at)], ...thought };
  }),
];

/** For each turn, what fails before it is said, and whether the connection breaks right after it. */
interface Schedule {
  readonly faults: readonly (readonly Fault[])[];
  readonly breaksAfter: readonly boolean[];
  /** The turn at which the server falls silent once, and after which share of its reply. */
  readonly silence: { readonly turn: number; readonly at: number };
}

const none: Schedule = { faults: [], breaksAfter: [], silence: { turn: -1, at: 0 } };
const perTurn = <T>(of: fc.Arbitrary<T>) =>
  fc.array(of, { minLength: script.length, maxLength: script.length });
const anySchedule: fc.Arbitrary<Schedule> = fc.record({
  faults: perTurn(fc.array(anyFault, { maxLength: 2 })),
  breaksAfter: perTurn(fc.boolean()),
  silence: fc.record({ turn: fc.nat({ max: script.length - 1 }), at: share }),
});

function answersOf(api: Api, { faults, breaksAfter, silence }: Schedule) {
  return script.flatMap((turn, at) => {
    const spoken = api.say(turn, at + 1);
    const silences =
      at === silence.turn ? [{ ...silence, kind: "cut", end: "silence" } as const] : [];
    const before = [...(faults[at] ?? []), ...silences];
    const said = breaksAfter[at]
      ? stream(spoken.lines.slice(0, -1), "reset")
      : stream(spoken.lines);
    return [...before.map((fault) => failing(fault, spoken, api)), said];
  });
}

const price = { input: 3, cached: 0.3, cacheWritten: 3.75, output: 15 };
const full = { arm: "full", planner: { on: true }, memory: { on: true } };

/** A whole episode with this API and these faults: what came of it, without what depends on time. */
async function episode(api: Api, schedule: Schedule) {
  const server = await api.serve();
  const answers = answersOf(api, schedule);
  server.answer(...answers);
  const model = api.open(server, { price }, { timeoutSec: 1.5 });
  const { parts, events } = await testEpisode(model, { "a.txt": "1\n" }, { config: full });
  const end = await runEpisode(parts);
  await server.close();
  const happened = events.filter(({ type }) => type !== "begin" && type !== "retry");
  return {
    status: end.status,
    patch: Buffer.from(end.patch).toString(),
    events: happened.map((event) => ("seconds" in event ? { ...event, seconds: 0 } : event)),
    conversation: conversationOf(events),
    retries: events.filter((event) => event.type === "retry"),
    failures: answers.length - script.length,
    last: JSON.stringify(server.received.at(-1)?.body),
  };
}

const paid = (events: readonly EpisodeEvent[]) => events.filter(({ type }) => type === "reply");

describe.each(apis)("an episode over $name", (api) => {
  it("is the same whatever fails on the way, and each reply is paid for once", async () => {
    const { retries, failures, ...undisturbed } = await episode(api, none);
    expect(undisturbed).toMatchObject({ status: "submitted" });
    expect(undisturbed.patch).toContain("+step 29\n");
    expect(paid(undisturbed.events)).toHaveLength(31);
    expect([retries, failures]).toEqual([[], 0]);
    // Thinking goes back as it came to the API that wants it, and only there.
    for (const { thinking } of script.filter((turn) => turn.thinking)) {
      const isSent = undisturbed.last.includes(JSON.stringify(thinking));
      expect(isSent).toBe(api.name === "anthropic");
    }
    await fc.assert(
      fc.asyncProperty(anySchedule, async (schedule) => {
        const { retries, failures, ...disturbed } = await episode(api, schedule);
        expect(disturbed).toEqual(undisturbed);
        expect(retries).toHaveLength(failures);
        for (const { waitSec } of retries) expect(waitSec).toBeLessThanOrEqual(60);
      }),
      { numRuns: 3, endOnFailure: true },
    );
  }, 120_000);
});
