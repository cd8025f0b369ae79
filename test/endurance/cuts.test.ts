import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { placeOf } from "../../src/agent/grounding/run-reproducer.ts";
import { rebuild } from "../../src/agent/rebuild.ts";
import type { EpisodeEvent, RecordedEvent } from "../../src/domain/episode.ts";
import type { ModelRequest } from "../../src/domain/model.ts";
import type { Reproducer } from "../../src/domain/reproducer.ts";
import type { Scripted } from "../scripted-model.ts";
import { bare, comparable, repliesIn } from "./comparable.ts";
import { type Cut, CutEpisode, type Played, type Story } from "./cut-episode.ts";
import { sampled } from "./sample.ts";

const files = {
  "calc.py": "def add(a, b):\n    return a - b\n",
  "tests/test_calc.py": "from calc import add\nassert add(1, 2) == 3\n",
};

const logged = (command: string, name: string) => `${command}; echo ${name} >> "$LOG"`;

/** Each command leaves the same when it is repeated. */
const script: readonly Scripted[] = [
  ["cat calc.py", "ls"],
  logged("printf 'x = 1\\n' > repro.py", "scratch"),
  { message: { role: "assistant", content: "I forgot what to do.", calls: [] } },
  [logged("sed -i 's/a - b/a + (b/' calc.py", "broken"), "grep -n return calc.py", "true"],
  logged("sed -i 's/(b/b/' calc.py", "mended"),
  [
    logged("mkdir -p pkg && printf '\\0\\377' > pkg/blob", "binary"),
    logged("mv -f tests/test_calc.py tests/test_add.py", "moved"),
  ],
  logged("ls -1 repro.py tests; chmod +x calc.py", "mode"),
  "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT",
];

const text = "grep -q 'a + b' calc.py || { echo 'still wrong'; exit 1; }\n";
const sha256 = createHash("sha256").update(text).digest("hex");
const reproducer: Reproducer = { lang: "bash", text, sha256 };

const agent = { stepLimit: 9 };
const full = { arm: "full", planner: { on: true }, memory: { on: true }, agent };
const baseline = { arm: "baseline", planner: { on: false }, memory: { on: false }, agent };
/** `every`: so many appends apart are the kills that are tried. */
const stories: readonly (Story & { readonly name: string; readonly every: number })[] = [
  { name: "full arm, armed", files, script, config: full, reproducer, every: 1 },
  { name: "baseline", files, script, config: baseline, reproducer: null, every: 3 },
];

const only = <Type extends EpisodeEvent["type"]>(
  events: readonly RecordedEvent[],
  wanted: Type,
): readonly Extract<EpisodeEvent, { type: Type }>[] =>
  bare(events).filter((event) => event.type === wanted) as never;

const patchOf = ({ end }: Played) => Buffer.from(end.patch).toString("latin1");
const where = ({ events }: Cut) => `killed after event ${events.length}, ${events.at(-1)?.type}`;

/** How often a request tells the model of something. */
function times(request: ModelRequest | undefined, words: string): number {
  const said = request?.messages.map(({ content }) => content).join("\n") ?? "";
  return said.split(words).length - 1;
}

/** The state that the record gives; null in the baseline. */
function stateOf(events: readonly RecordedEvent[]) {
  const newest = events.findLast(({ type }) => type === "begin" || type === "resume");
  const store = newest && "base" in newest ? newest.base.store : "";
  return rebuild(events, placeOf(reproducer, store));
}

/** It is the state that there was, whoever recorded it. */
function expectRebuilds({ events }: Played): void {
  const rebuilt = stateOf(events);
  if (rebuilt) expect(rebuilt.advice).toEqual(only(events, "advice"));
}

describe.each(stories)("a run that is killed after an append: $name", (story) => {
  let place: CutEpisode;
  afterAll(() => place.remove());
  let whole: Played & { readonly cuts: readonly Cut[] };

  beforeAll(async () => {
    place = new CutEpisode(story);
    whole = await place.play();
  }, 120_000);

  const cutsWhere = (inCommand: boolean) =>
    whole.cuts
      .slice(0, -1)
      .filter(({ events }) => (events.at(-1)?.type === "command") === inCommand);

  /** The event that was recorded next. */
  const addedAfter = ({ events }: Cut) => whole.events[events.length];

  it("tells of one of everything", () => {
    expect(whole.end.status).toBe("submitted");
    const wanted = ["format_error", "snapshot", "submission", "patch", "remark"];
    const armed = ["check", "verdict", "integrity", "advice"];
    const types = whole.events.map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining(story.reproducer ? [...wanted, ...armed] : wanted),
    );
    expect(patchOf(whole)).not.toContain("repro.py");
    expectRebuilds(whole);
  });

  it("outside a command, goes on as if nothing had happened", { timeout: 240_000 }, async () => {
    for (const cut of sampled(cutsWhere(false), story.every, 8)) {
      const resumed = await place.resume(cut, cut.state);
      expect(comparable(resumed.events), where(cut)).toEqual(comparable(whole.events));
      expect(resumed.requests).toEqual(whole.requests.slice(repliesIn(cut.events)));
      expect(patchOf(resumed)).toBe(patchOf(whole));
      expect(stateOf(resumed.events)?.state).toEqual(stateOf(whole.events)?.state);
    }
  });

  it("inside a command, tells the model and repeats nothing", { timeout: 240_000 }, async () => {
    for (const cut of sampled(cutsWhere(true), story.every, 8)) {
      const after = whole.cuts[whole.cuts.indexOf(cut) + 1] ?? cut;
      for (const { state } of [cut, after]) {
        const before = place.logIn(state);
        const resumed = await place.resume(cut, state);
        const told = times(resumed.requests[0], "Started, then the run was interrupted");
        expect(told, where(cut)).toBe(1);
        // The turn in which the model repeats what was not done is one more.
        const asked = whole.requests.length + 1 - repliesIn(cut.events);
        expect(resumed.requests).toHaveLength(asked);
        const run = only(resumed.events.slice(cut.events.length), "command");
        expect(place.log).toEqual([...before, ...run.flatMap(({ command }) => nameIn(command))]);
        expect(patchOf(resumed)).toBe(patchOf(whole));
        expectRebuilds(resumed);
      }
    }
  });

  it("with the working copy lost, goes on from what was saved", { timeout: 240_000 }, async () => {
    const isSaved = (cut: Cut) => addedAfter(cut)?.type !== "snapshot";
    for (const cut of sampled(cutsWhere(false).filter(isSaved), 4, 12)) {
      const resumed = await place.resumeElsewhere(cut);
      expect(patchOf(resumed), where(cut)).toBe(patchOf(whole));
      expect(resumed.requests).toHaveLength(whole.requests.length - repliesIn(cut.events));
      const asksAgain = resumed.requests.some(({ purpose }) => purpose === "act");
      const told = times(resumed.requests.at(-1), "had to be built anew");
      expect(told).toBe(asksAgain ? 1 : 0);
      const outputs = only(resumed.events, "observation").map(({ output }) => output);
      expect(outputs).toEqual(only(whole.events, "observation").map(({ output }) => output));
      expectRebuilds(resumed);
    }
  });
});

/** What a command writes to the log. */
const nameIn = (command: string) => /echo (\w+) >> "\$LOG"/.exec(command)?.[1] ?? [];
