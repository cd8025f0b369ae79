import { describe, expect, it } from "vitest";
import { runEpisode } from "../../../src/agent/episode.ts";
import type { EpisodeEvent } from "../../../src/domain/episode.ts";
import { experepair } from "../../../src/workflows/experepair/workflow.ts";
import { solveBy } from "../../../src/workflows/solve-by.ts";
import { testEpisode } from "../../episode-parts.ts";
import { type Replies, replyingBy } from "../replies-by-purpose.ts";
import {
  advice,
  check,
  files,
  fix,
  issue,
  python,
  replies,
  show,
  verdicts,
} from "./small-issue.ts";

const solve = solveBy(experepair);

/** The workflow on the small repository with a real shell. */
async function run(given: Replies, config = {}) {
  const model = replyingBy(given);
  const { parts, events } = await testEpisode(model, files, { issue, config });
  const end = await runEpisode({ ...parts, solve });
  return { end, events, model, patch: Buffer.from(end.patch).toString() };
}

const stagesOf = (events: readonly EpisodeEvent[]) =>
  events.flatMap((event) => (event.type === "stage" ? [`${event.stage}: ${event.text}`] : []));
const noticesOf = (events: readonly EpisodeEvent[]) =>
  events.flatMap((event) => (event.type === "notice" ? [event.text] : []));

describe("experepair", () => {
  it("goes through its stages, and past replies that cannot be used", async () => {
    const { end, events, model, patch } = await run(replies);
    expect([end.status, end.reason]).toEqual([
      "submitted",
      `submitted at step ${model.requests.length}`,
    ]);
    expect(stagesOf(events)).toMatchInlineSnapshot(`
      [
        "reproduce: writes a script that reproduces the issue",
        "locate: the issue is reproduced (round 3); looks for the code",
        "patch: writes patches (round 1 of 3)",
        "refine: 3 patches are found correct; tries fuller and simpler ones",
        "validate: 5 patches are left to choose from",
      ]
    `);
    expect(noticesOf(events)).toMatchInlineSnapshot(`
      [
        "A reply held no script, so that round of testing is lost.",
        "A candidate patch is discarded: edit 1 of answers.py does not fit the file.",
        "A candidate patch is discarded: an edit names a path outside the repository.",
        "A candidate patch is discarded: it holds no edit.",
      ]
    `);
    expect(patch).toMatchInlineSnapshot(`
      "diff --git a/answers.py b/answers.py
      index 1083d263a12f8ca0b19827526030ed286669b9df..603ce8843bee28b15cc71be90e2dc063e97c6fe3 100644
      --- a/answers.py
      +++ b/answers.py
      @@ -1,2 +1,2 @@
       def answer():
      -    return 41
      +    return 6 * 7
      "
    `);
    const asked = Object.entries(replies).map(([purpose, all]) => [purpose, all.length]);
    const used = asked.map(([purpose]) => [
      purpose,
      model.requests.filter((request) => request.purpose === purpose).length,
    ]);
    expect(used).toEqual(asked);
  });

  it("refines the best patch by advice while a review finds none correct, and hands in the last", async () => {
    const { end, events, patch, model } = await run(
      {
        ...replies,
        test: [python(show)],
        check: [check("YES")],
        locate: replies.locate?.slice(1) ?? [],
        patch: [fix("40"), fix("43"), fix("44"), fix("45"), fix("46"), fix("47")],
        review: [verdicts("2, 1", ""), verdicts("1, 2", ""), verdicts("2, 1", "")],
        advise: ["40 is too small.", "44 is too large."]
          .map(advice)
          .flatMap((text) => [text, text]),
      },
      { workflow: { experepair: { patchTemperatures: [0, null] } } },
    );
    expect([end.status, stagesOf(events).slice(2)]).toEqual([
      "submitted",
      [
        "patch: writes patches (round 1 of 3)",
        "patch: refines the best patch (round 2 of 3)",
        "patch: refines the best patch (round 3 of 3)",
      ],
    ]);
    expect(patch).toContain("+    return 47");
    const third = model.requests.findLast(({ purpose }) => purpose === "advise");
    expect(third?.messages.at(-1)?.content).toContain("+    return 44");
    const patches = model.requests.filter(({ purpose }) => purpose === "patch");
    expect(patches.map(({ temperature, seed }) => [temperature, seed])).toEqual([
      [0, 1],
      [undefined, 2],
      [0, 3],
      [undefined, 4],
      [0, 5],
      [undefined, 6],
    ]);
  });

  it("ends without a patch when no reply can be used at all", async () => {
    const useless = Array.from({ length: 30 }, (_, n) => ["", "I cannot help.", "<edit>"][n % 3]);
    const every = useless.map((text) => text ?? "");
    const { end, events, model } = await run({
      test: every,
      check: every,
      locate: every,
      patch: every,
      review: every,
    });
    expect([end.status, end.reason]).toEqual([
      "no_patch",
      `submitted at step ${model.requests.length}, but the patch is empty`,
    ]);
    // 3 rounds of testing, 3 tries at each localisation call (the issue names a file), 4 candidates
    // in each of 3 rounds.
    expect(model.requests).toHaveLength(3 + 12 + 12);
    expect(noticesOf(events)).toHaveLength(3 + 12);
  });

  it("spends no more than it may", async () => {
    const price = { input: 10_000, cached: 0, cacheWritten: 0, output: 0 };
    const model = replyingBy(replies, price);
    const config = { agent: { costLimit: 3, costRule: "spent" } };
    const { parts, events } = await testEpisode(model, files, { issue, config });
    const end = await runEpisode({ ...parts, solve });
    // A call is a dollar.
    expect([end.status, end.reason]).toEqual(["cost_limit", "$3.00 of $3.00 spent"]);
    expect(model.requests).toHaveLength(3);
    expect(events.at(-1)).toMatchObject({ type: "end", status: "cost_limit" });
  });
});
