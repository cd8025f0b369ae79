import { describe, expect, it } from "vitest";
import { counterOn } from "../../src/cli/replay-progress.ts";
import { pipe, terminal } from "./text-streams.ts";

describe("the counter of a long replay", () => {
  it("shows on a terminal after two seconds, and goes", () => {
    const stream = terminal(30);
    let now = 0;
    const counter = counterOn(stream, () => now);
    counter.tell(0, 140, "a.json");
    expect(stream.written).toEqual([]);
    now = 2500;
    counter.tell(12, 140, "astropy__astropy-12907.traj.json.gz");
    expect(stream.screen().at(-1)).toBe("12 of 140: astropy__astropy-…");
    counter.clear();
    expect(stream.screen().at(-1)).toBe("");
  });

  it("does not show elsewhere", () => {
    const stream = pipe();
    let now = 0;
    const counter = counterOn(stream, () => now);
    now = 5000;
    counter.tell(1, 2, "a.json");
    counter.clear();
    expect(stream.text()).toBe("");
  });
});
