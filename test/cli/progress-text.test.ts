import { describe, expect, it } from "vitest";
import { watchAsJson } from "../../src/cli/json-lines.ts";
import { watchProgress } from "../../src/cli/progress.ts";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import {
  begin,
  command,
  episode,
  observation,
  patch,
  recorded,
  reply,
} from "./scripted-episode.ts";
import { esc, pipe } from "./text-streams.ts";

const output = ".pmcoder/runs/r1";

function ending(change: object, record: object = {}, cost: number | null = 0.01): string {
  const stream = pipe();
  const watcher = watchProgress({ stream, env: {}, output, now: () => 0 });
  const end: EpisodeEvent = {
    type: "end",
    status: "submitted",
    reason: "why",
    seconds: 65,
    ...change,
  };
  const script = [begin, reply(1, cost), { type: "patch", ...patch, ...record } as const, end];
  for (const event of recorded(script.map((one) => [0, one]))) watcher.see(event);
  return stream.text().slice(stream.text().indexOf(`${end.status}:`));
}

describe("progress that goes to a file or a pipe", () => {
  it("is plain lines", () => {
    const stream = pipe();
    const watcher = watchProgress({ stream, env: {}, output, now: () => 0 });
    for (const event of recorded(episode)) watcher.see(event);
    watcher.close();
    expect(stream.text()).toMatchInlineSnapshot(`
      "run r1 · baseline · anthropic:a · bubblewrap at /repo
      No sandbox: ␛[31mcommands run here.
      model call failed (1 of 10), again in 2 s: overloaded
      step 1  $ sed -n 1,20p src/a.py  → exit 0 (0.2 s)
      step 2  the reply calls no tool; the model is asked again
      step 3  $ pytest -q␉tests ␛[2J && echo done  → time limit (1 min 00 s)
      step 4  $ python app.py &  → exit 3, a process stays (0.3 s)
      step 5  $ submit  → exit 0 (0.0 s)
      step 5  the model submits its work
      left out of the patch: core.dump (larger than 20 MB)
      submitted at step 5
        spent   5 steps · 45.5k tokens · $0.050 · 1 min 21 s
        patch   2 files (1.2 kB): src/a.py, src/b.py
        output  .pmcoder/runs/r1
        next    pmcoder apply last
      "
    `);
    expect(stream.text()).not.toContain(esc);
    expect(stream.text()).not.toContain("\r");
  });

  it("cuts a long command and keeps its outcome", () => {
    const stream = pipe();
    const watcher = watchProgress({ stream, env: {}, output, now: () => 0 });
    const script = [begin, reply(1), command(1, "x".repeat(500)), observation(1)] as const;
    for (const event of recorded(script.map((one) => [0, one]))) watcher.see(event);
    expect(stream.text()).toMatch(/\nstep 1 {2}\$ x{80,}… {2}→ exit 0 \(0\.2 s\)\n$/);
  });

  it.each([
    ["malformed", "the reply's tool call is malformed; the model is asked again"],
    ["cut", "the reply was cut at its length limit; the model is asked again"],
    ["unknown_tool", "the reply calls an unknown tool; the model is asked again"],
    ["refusal", "the model refused; it is asked again"],
  ] as const)("says what was wrong with a reply: %s", (kind, text) => {
    const stream = pipe();
    const watcher = watchProgress({ stream, env: {}, output, now: () => 0 });
    const error: EpisodeEvent = { type: "format_error", step: 7, kind, answers: [] };
    for (const event of recorded([[0, error]])) watcher.see(event);
    expect(stream.text()).toBe(`step 7  ${text}\n`);
  });
});

describe("the end of a run", () => {
  it("at a limit keeps the patch and says what to do with it", () => {
    expect(ending({ status: "step_limit", reason: "250 steps" })).toMatchInlineSnapshot(`
      "step_limit: 250 steps
        spent   1 step · 9.10k tokens · $0.010 · 1 min 05 s
        patch   2 files (1.2 kB): src/a.py, src/b.py
        output  .pmcoder/runs/r1
        next    pmcoder apply last
        resume  pmcoder resume last --step-limit N
      "
    `);
  });

  it.each(["model_unavailable", "environment_lost", "image_missing"])(
    "%s points to doctor",
    (status) => {
      expect(ending({ status }, { bytes: 0, files: [] })).toContain("next    pmcoder doctor\n");
    },
  );

  it("without a patch names none and no next command", () => {
    const text = ending({ status: "no_patch" }, { bytes: 0, files: [] }, null);
    expect(text).toContain("cost unknown");
    expect(text).toContain("  patch   none\n");
    expect(text).not.toContain("next");
  });

  it("with a patch that does not apply says so and does not offer it", () => {
    const text = ending({}, { applies: false });
    expect(text).toContain("src/a.py, src/b.py; it does NOT apply to the base\n");
    expect(text).not.toContain("pmcoder apply");
  });

  it("names eight files of many", () => {
    const files = Array.from({ length: 10 }, (_, index) => `f${index}`);
    expect(ending({}, { files })).toContain(
      "10 files (1.2 kB): f0, f1, f2, f3, f4, f5, f6, f7 and 2 more\n",
    );
  });
});

describe("progress as JSON", () => {
  it("is every event, one object a line", () => {
    const stream = pipe();
    const watcher = watchAsJson(stream);
    for (const event of recorded(episode)) watcher.see(event);
    watcher.close();
    const lines = stream.text().trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(recorded(episode));
  });
});
