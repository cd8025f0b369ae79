import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { rebuild } from "../../src/agent/rebuild.ts";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import { bubblewrapWorks } from "../../src/environments/bubblewrap.ts";
import { capable } from "../capabilities.ts";
import { works as hasDocker, IMAGE } from "../environments/docker-places.ts";
import { hasData, hiddenTests, type Replayed, replay, rowOf } from "./replayed-run.ts";

/**
 * Public runs replayed as live commands in the default arm on Debian's sympy 1.11.1 at /testbed: of
 * this machine in bubblewrap, of the image in docker. Each is armed with the admitted script in
 * repro-scripts/. What counts is the instance's own hidden test on the patch that comes out.
 */
const hasBubblewrap = await capable("bubblewrap", async () => (await bubblewrapWorks()).ok);
const kinds = [...(hasBubblewrap ? ["bubblewrap"] : []), ...(hasDocker ? ["docker"] : [])];

const replayIn = (kind: string, instance: string, settings: readonly string[]) =>
  replay(instance, kind, [...settings, ...(kind === "docker" ? ["--image", IMAGE, "--json"] : [])]);

/** People are told the arm at the beginning, and the phase whenever the plan moves. */
function showsArmAndPhases({ shown }: Replayed, instance: string): void {
  expect(shown).toMatch(new RegExp(`^run \\S+ · full · ${instance} · .* at /testbed$`, "m"));
  const phases = [...shown.matchAll(/^ {2}plan {4}(\w+) · \d\/\d /gm)].map(([, phase]) => phase);
  expect(phases[0]).toBe("explore");
  expect(phases).toEqual(expect.arrayContaining(["hypothesize", "implement", "verify"]));
  expect(shown).toMatch(/^ {2}repro {3}the issue no longer shows \(exit 0, /m);
}

/** Where the script lay matters only to commands that run it, and these runs have none. */
const script = "/reproduction.py";

const firstEnd = (events: readonly EpisodeEvent[]) =>
  events.findIndex((event) => event.type === "advice" && event.done === event.total);

/**
 * The terminal sub-task ends after a verdict that passes, and because of it: had that verdict been
 * another fail, the same steps would have left the sub-task open.
 */
function endsByVerdict({ events }: Replayed, fails: number): void {
  const closed = events.slice(0, firstEnd(events) + 1);
  const verdicts = closed.flatMap((event) => (event.type === "verdict" ? [event.verdict] : []));
  expect(verdicts).toEqual([...Array(fails).fill("fail"), "pass"]);
  const given = closed.filter(({ type }) => type === "advice");
  expect(given.length).toBeGreaterThan(5);
  expect(given).toMatchObject(rebuild(closed, script)?.advice ?? []);
  const failing = closed.map((event) =>
    event.type === "verdict" ? { ...event, verdict: "fail" as const } : event,
  );
  expect(firstEnd(rebuild(failing, script)?.advice ?? [])).toBe(-1);
}

/** In each kind of environment, one after the other; the patches must be the same. */
async function replayEverywhere(instance: string, settings: readonly string[], fails: number) {
  const patches: string[] = [];
  for (const kind of kinds) {
    const replayed = await replayIn(kind, instance, settings);
    const { code, summary, patch } = replayed;
    const expected = { exit_status: "submitted", arm: "full", environment: kind, verdict: "pass" };
    expect(summary).toMatchObject({ ...expected, patch: { applies: true } });
    expect(code).toBe(0);
    if (kind === "docker") endsByVerdict(replayed, fails);
    else showsArmAndPhases(replayed, instance);
    patches.push(await readFile(patch, "utf8"));
    if (patches[0] !== patches.at(-1)) expect(patches.at(-1)).toBe(patches[0]);
    if (kind === kinds.at(-1)) return patch;
  }
  return "";
}

describe.runIf(hasData && kinds.length > 0)("public runs replayed on a real project", () => {
  it.concurrent.each([
    ["23824", [], 0],
    ["24066", [], 0],
    ["24213", [], 0],
    // Its fifth edit is the one that mends.
    ["24443", ["-c", "grounding.maxChecks=5"], 4],
    ["24661", [], 0],
  ])(
    "sympy__sympy-%s ends with its hidden test passing",
    { timeout: 600_000 },
    async (number, settings, fails) => {
      const instance = `sympy__sympy-${number}`;
      const patch = await replayEverywhere(instance, settings, fails);
      const row = await rowOf(instance);
      const verdicts = await hiddenTests(row, patch);
      for (const test of row.FAIL_TO_PASS) expect([test, verdicts.get(test)]).toEqual([test, "ok"]);
    },
  );

  it.concurrent("sympy__sympy-23413, whose edits miss this version, ends cleanly and honestly", {
    timeout: 600_000,
  }, async () => {
    const { code, patch, summary } = await replayIn(kinds[0] ?? "", "sympy__sympy-23413", []);
    const honest = [
      [0, "submitted"],
      [4, "no_patch"],
    ];
    expect(honest).toContainEqual([code, summary["exit_status"]]);
    const row = await rowOf("sympy__sympy-23413");
    if (summary["exit_status"] === "no_patch") return;
    const verdicts = await hiddenTests(row, patch);
    expect(verdicts.get("test_hermite_normal")).not.toBe("ok");
  });
});
