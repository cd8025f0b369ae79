import { describe, expect, it } from "vitest";
import { summaryOf } from "../../src/trajectories/summary.ts";
import { beginEvent, episodeEvents, promptEvent, recorded, reply } from "./recorded-episode.ts";

const peek = {
  step: 1,
  command: "git fetch",
  reason: "fetches from another repository: git fetch",
};
const places = {
  exitCode: 0,
  patchPath: "/out/patch.diff",
  guard: [peek],
  db: "/state/pmcoder.db",
};

describe("summaryOf", () => {
  it("tells an ended run in one object, keys in their order", () => {
    const summary = summaryOf(recorded("run-1", episodeEvents("run-1")), places);
    expect(JSON.stringify(summary, null, 1)).toMatchInlineSnapshot(`
      "{
       "run": "run-1",
       "instance_id": "shapes__area-7",
       "arm": "baseline",
       "seed": 1,
       "model": "scripted:test",
       "environment": "bubblewrap",
       "base": {
        "tree": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "commit": null
       },
       "exit_status": "submitted",
       "exit_code": 0,
       "steps": 5,
       "model_calls": {
        "act": 5,
        "other": 0
       },
       "tokens": {
        "input": 5000,
        "cached": 2000,
        "output": 250
       },
       "cost": 0.0125,
       "seconds": 21,
       "phases": [],
       "backtracks": 0,
       "verdict": null,
       "injected": {
        "blocks": 0,
        "tokens": 0
       },
       "patch": {
        "path": "/out/patch.diff",
        "files": [
         "area.py"
        ],
        "bytes": 88,
        "applies": true,
        "source": "extraction"
       },
       "guard": [
        {
         "step": 1,
         "command": "git fetch",
         "reason": "fetches from another repository: git fetch"
        }
       ],
       "db": "/state/pmcoder.db"
      }"
    `);
  });

  it("tells a run that has only begun", () => {
    expect(summaryOf(recorded("run-1", [beginEvent("run-1")]), places)).toMatchObject({
      exit_status: "running",
      exit_code: null,
      steps: 0,
      cost: 0,
      seconds: 0,
      patch: null,
    });
  });

  it("counts other calls beside the turns, and knows no cost once a price is unknown", () => {
    const act = reply(1, "Go.", []);
    const plan = { ...act, purpose: "decompose", cost: null } as typeof act;
    const summary = summaryOf(
      recorded("run-1", [beginEvent("run-1"), promptEvent, plan, act]),
      places,
    );
    expect(summary.model_calls).toEqual({ act: 1, other: 1 });
    expect(summary.steps).toBe(1);
    expect(summary.tokens).toEqual({ input: 2000, cached: 800, output: 100 });
    expect(summary.cost).toBeNull();
  });

  it("is running again after an interrupted run was resumed", () => {
    const end = { type: "end", status: "interrupted", reason: "", seconds: 3 } as const;
    const events = recorded("run-1", [beginEvent("run-1"), promptEvent, end, reply(1, "Go.", [])]);
    expect(summaryOf(events, places).exit_status).toBe("running");
    expect(summaryOf(events.slice(0, 3), places).exit_status).toBe("interrupted");
  });
});
