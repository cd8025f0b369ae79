import { describe, expect, it } from "vitest";
import { isFinal, isOpen, refuseEnded, standingOf } from "../../src/cli/standing.ts";
import { RunConfig } from "../../src/domain/config/run-config.ts";
import { type EpisodeEvent, type ExitStatus, exitStatuses } from "../../src/domain/episode.ts";
import type { LimitsRecord } from "../../src/domain/site.ts";
import { begin, command, recorded, reply } from "./scripted-episode.ts";

const site = { image: null, repository: "/repo", copy: "/cache/r1/repo", container: null };
const begun = { ...begin, site } as Extract<EpisodeEvent, { type: "begin" }>;
const resumed = (limits: LimitsRecord, store: string): EpisodeEvent => {
  const base = { tree: "t", commit: null, store };
  return { type: "resume", version: "0", base, site, rebuilt: false, limits };
};
const ended = (status: ExitStatus): EpisodeEvent => {
  return { type: "end", status, reason: "", seconds: 0 };
};
const standing = (...events: readonly EpisodeEvent[]) =>
  standingOf("r1", recorded(events.map((event) => [0, event] as const)));

describe("standingOf", () => {
  it("tells what another process must know", () => {
    const saved = { type: "snapshot", step: 1, callId: "c1", bytes: 1 } as const;
    const events = [begun, reply(1), command(1, "ls"), { ...saved, tree: "s1" }, command(1, "w")];
    expect(standing(...events)).toMatchObject({
      run: "r1",
      task: "It breaks.",
      kind: "bubblewrap",
      workdir: "/repo",
      site,
      commands: 2,
      savedTree: "s1",
      ended: null,
      reproducer: null,
    });
  });

  it("goes by the newest process: its place, and all limits that were given so far", () => {
    const events = [begun, resumed({ stepLimit: 9 }, "/a"), resumed({ costLimit: 7 }, "/b")];
    const { base, config } = standing(...events);
    expect(base.store).toBe("/b");
    expect(config.agent).toMatchObject({ stepLimit: 9, costLimit: 7, timeLimitSec: null });
  });

  it("has not ended by an end that another process has gone on from", () => {
    expect(standing(begun, ended("interrupted")).ended).toBe("interrupted");
    expect(standing(begun, ended("interrupted"), resumed({}, "/a")).ended).toBeNull();
  });

  it("gives settings that are newer than the run their defaults", () => {
    const { overflow: _overflow, ...agent } = RunConfig.parse({}).agent;
    const old = { ...begun, config: { ...begun.config, agent } } as EpisodeEvent;
    expect(standing(old).config.agent.overflow).toBe("end");
  });

  it.each([
    { name: "no place", events: [{ ...begin }], says: "does not say where its work stands" },
    { name: "nothing", events: [], says: "does not say where its work stands" },
    {
      name: "settings of another version",
      events: [{ ...begun, config: { ...begun.config, magic: 1 } } as EpisodeEvent],
      says: "recorded by a pmcoder with other settings",
    },
  ])("refuses a record that holds $name", ({ events, says }) => {
    expect(() => standing(...events)).toThrow(
      expect.objectContaining({ code: "usage", message: expect.stringContaining(says) }),
    );
  });
});

describe("refuseEnded", () => {
  const endedBy = (status: ExitStatus, limits: LimitsRecord, before: LimitsRecord = {}) => {
    const left = standing(begun, resumed(before, "/a"), ended(status));
    return () => refuseEnded(left, limits);
  };

  it.each(exitStatuses.map((status) => ({ status })))(
    "knows what to say of $status",
    ({ status }) => {
      const limits = { step_limit: "step", cost_limit: "cost", time_limit: "time" };
      const limit = limits[status as keyof typeof limits];
      if (isOpen(status)) expect(endedBy(status, {})).not.toThrow();
      else if (limit) expect(endedBy(status, {})).toThrow(`pmcoder resume r1 --${limit}-limit N`);
      else expect(endedBy(status, { stepLimit: 999 })).toThrow("There is nothing to go on with");
      expect(isFinal(status)).toBe(!isOpen(status) && limit === undefined);
    },
  );

  it.each<{ status: ExitStatus; limits: LimitsRecord; refused: boolean }>([
    { status: "step_limit", limits: { stepLimit: 41 }, refused: false },
    { status: "step_limit", limits: { stepLimit: 40 }, refused: true },
    { status: "step_limit", limits: { costLimit: 99 }, refused: true },
    { status: "cost_limit", limits: { costLimit: 3.5 }, refused: false },
    { status: "time_limit", limits: { timeLimitSec: 60 }, refused: true },
    { status: "time_limit", limits: { timeLimitSec: 61 }, refused: false },
  ])("takes a higher limit, and no other: $status, $limits", ({ status, limits, refused }) => {
    const going = endedBy(status, limits, { stepLimit: 40, timeLimitSec: 60 });
    if (refused) expect(going).toThrow("Give it a higher one than");
    else expect(going).not.toThrow();
  });
});
