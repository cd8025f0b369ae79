import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Reproduction } from "../../../src/agent/grounding/reproduction.ts";
import { GroundingConfig } from "../../../src/domain/config/grounding.ts";
import type { EpisodeEvent } from "../../../src/domain/episode.ts";
import type { VerdictRecord } from "../../../src/domain/evidence.ts";
import type { Reproducer } from "../../../src/domain/reproducer.ts";
import { type Place, place, script, tally } from "./place.ts";

interface Armed {
  readonly reproduction: Reproduction;
  readonly events: readonly EpisodeEvent[];
  /** Writes the answer and asks for the verdict of the tree. */
  answer(text: string): Promise<VerdictRecord>;
}

interface Options {
  readonly config?: Partial<GroundingConfig>;
  readonly signal?: AbortSignal;
}

function arm(
  { environment, base, run }: Place,
  reproducer: Reproducer,
  options: Options = {},
): Armed {
  const config = GroundingConfig.parse(options.config ?? {});
  const signal = options.signal ?? new AbortController().signal;
  const parts = { environment, base, config, reproducer, maxFileBytes: 1e6, signal };
  const reproduction = new Reproduction(parts);
  const events: EpisodeEvent[] = [];
  return {
    reproduction,
    events,
    answer: async (text) => {
      await run(`printf '%s\\n' '${text}' > answer.txt`);
      const record = await reproduction.check("c", async (signature) => {
        events.push({ type: "check", step: 1, callId: "c", signature });
      });
      const event: EpisodeEvent = { type: "verdict", step: 1, ...record };
      reproduction.note(event);
      events.push(event);
      return record;
    },
  };
}

const clean = { "answer.txt": "41\n" };
/** Passes with 42, fails with less, cannot find out with more; marks each run. */
function answering(marks: string): Reproducer {
  return script(
    "bash",
    `echo run >> '${marks}'
read -r answer < answer.txt
echo "the answer is $answer"
[ "$answer" -eq 42 ] && exit 0
[ "$answer" -lt 42 ] && exit 1
exit 2
`,
  );
}

describe("reproduction verdicts", () => {
  it("runs at most four times, once a tree, and never lets an old verdict stand", async () => {
    const marks = tally();
    const { answer } = arm(await place(clean), answering(marks.file));
    const timeline = [];
    for (const tree of ["1", "2", "1", "42", "3", "4", "41", "42"]) {
      const { verdict, cached } = await answer(tree);
      timeline.push(`${tree}: ${verdict}${cached ? " (known)" : ""}, ${marks.count()} runs`);
    }
    expect(timeline).toEqual([
      "1: fail, 1 runs",
      "2: fail, 2 runs",
      "1: fail (known), 2 runs",
      "42: pass, 3 runs",
      "3: fail, 4 runs",
      "4: undefined, 4 runs",
      "41: fail (known), 4 runs",
      "42: pass (known), 4 runs",
    ]);
  });

  it("tells the model what it shows, with the end of its output", async () => {
    const { answer, events } = arm(await place(clean), answering("/dev/null"));
    expect((await answer("40")).note).toMatchInlineSnapshot(`
      "<reproduction>
      The issue's reproduction still fails:
      the answer is 40
      </reproduction>"
    `);
    expect((await answer("42")).note).toMatchInlineSnapshot(`
      "<reproduction>
      The issue's reproduction no longer fails.
      </reproduction>"
    `);
    expect((await answer("41")).note).toMatchInlineSnapshot(`
      "<reproduction>
      The issue's reproduction still fails.
      </reproduction>"
    `);
    expect(events.map(({ type }) => type)).toEqual([
      "check",
      "verdict",
      "check",
      "verdict",
      "verdict",
    ]);
  });

  it("shows 400 characters of the end, safely", async () => {
    const noisy = script(
      "python",
      `import sys\nprint("a" * 9000)\nprint("\\x1b[31m" + "b" * 399 + "\\0")\nsys.exit(1)\n`,
    );
    const { answer } = arm(await place(clean), noisy);
    expect((await answer("1")).tail).toBe(`${"b".repeat(399)}\u2400`);
  });

  it.each([
    ["the script cannot find out", "exit 2", 2],
    ["the script is killed", "kill -9 $$", 137],
    ["there is no such program", "no-such-program-here", 127],
    ["it takes too long", "sleep 30", 124],
  ])(
    "has no verdict when %s, which counts as a run and is remembered",
    async (_why, text, exitCode) => {
      const options = { config: { timeoutSec: 1, maxChecks: 1 } };
      const { answer } = arm(await place(clean), script("bash", `${text}\n`), options);
      expect(await answer("1")).toMatchObject({ verdict: "undefined", exitCode, note: null });
      expect(await answer("1")).toMatchObject({
        verdict: "undefined",
        cached: true,
        exitCode: null,
      });
      expect(await answer("2")).toMatchObject({
        verdict: "undefined",
        cached: false,
        exitCode: null,
      });
    },
  );

  it("forgets a run that was interrupted", async () => {
    const controller = new AbortController();
    const marks = tally();
    const slow = script("bash", `echo run >> '${marks.file}'; sleep 30\n`);
    const { answer } = arm(await place(clean), slow, { signal: controller.signal });
    setTimeout(() => controller.abort(), 500);
    expect(await answer("1")).toMatchObject({
      verdict: "undefined",
      exitCode: null,
      cached: false,
    });
    expect(await answer("1")).toMatchObject({ exitCode: null, cached: false });
  });

  it("takes scratch files for nothing and new source for a change", async () => {
    const marks = tally();
    const at = await place(clean);
    const { answer } = arm(at, answering(marks.file));
    await at.run("echo 1 > reproduce.py; echo 1 > out.log");
    expect(await answer("41")).toMatchObject({ signature: at.base.tree, cached: true });
    await at.run("mkdir pkg && echo 1 > pkg/new.py");
    expect(await answer("41")).toMatchObject({ verdict: "fail", cached: false });
    await at.run(
      "git -c user.name=a -c user.email=a@b add -A && git -c user.name=a -c user.email=a@b commit -qm x",
    );
    expect(await answer("41")).toMatchObject({ verdict: "fail", cached: true });
    expect(marks.count()).toBe(1);
  });

  it("runs the repository's own package, from a script outside it that nobody can change", async () => {
    const at = await place({ ...clean, "json/__init__.py": "mine = True\n" });
    const own = script(
      "python",
      "import sys, json\nsys.exit(1 if getattr(json, 'mine', False) else 2)\n",
    );
    const { answer, reproduction } = arm(at, own);
    expect(reproduction.path.startsWith(at.folder)).toBe(false);
    expect(await answer("1")).toMatchObject({ verdict: "fail" });
    await at.run(`echo 'raise SystemExit(0)' > ${reproduction.path}`);
    expect(await answer("2")).toMatchObject({ verdict: "fail" });
    await at.environment.execute("[ ! -e json/__pycache__ ]", { timeoutSec: 5 }).then((result) => {
      expect(result.exitCode).toBe(0);
    });
  });

  it("is rebuilt by its own events", async () => {
    const marks = tally();
    const at = await place(clean);
    const first = arm(at, answering(marks.file), { config: { maxChecks: 2 } });
    for (const text of ["1", "42"]) await first.answer(text);
    const again = arm(at, answering(marks.file), { config: { maxChecks: 2 } });
    for (const event of first.events) again.reproduction.note(event);
    expect(await again.answer("42")).toMatchObject({ verdict: "pass", cached: true });
    expect(await again.answer("3")).toMatchObject({ verdict: "undefined", exitCode: null });
    expect(marks.count()).toBe(2);
  });

  it("answers as the script would, or not at all", async () => {
    const answers = fc.array(fc.constantFrom(...Object.keys(truth)), { maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(answers, fc.integer({ min: 0, max: 3 }), async (texts, maxChecks) => {
        const marks = tally();
        const config = { maxChecks };
        const { answer } = arm(await place(clean), answering(marks.file), { config });
        const known = new Map([["41", "fail"]]);
        for (const text of texts) {
          if (known.size <= maxChecks && !known.has(text)) known.set(text, truth[text] ?? "");
          expect((await answer(text)).verdict).toBe(known.get(text) ?? "undefined");
        }
        expect(marks.count()).toBe(known.size - 1);
      }),
      { numRuns: 4 },
    );
  });
});

const truth: Readonly<Record<string, string>> = {
  "1": "fail",
  "2": "fail",
  "41": "fail",
  "42": "pass",
  "43": "undefined",
  "50": "undefined",
};
