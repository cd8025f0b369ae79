import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AdaRepairConfig } from "../../../src/domain/config/adarepair.ts";
import type { IssueIdentity, Occasion, Stage } from "../../../src/domain/experience.ts";
import { adaRepair } from "../../../src/experience/adarepair/memory.ts";
import { occasionOf } from "../../../src/experience/adarepair/routing.ts";
import { type OpenBank, openBank } from "../../../src/store/experience-bank.ts";
import { tokensOf } from "../../../src/substrate/memory/text.ts";
import { stoppedClock } from "../../stopped-clock.ts";
import { pastEpisode } from "../past-episodes.ts";
import { issue, repairMemory } from "../repair-memories.ts";

let bank: OpenBank;
beforeEach(() => {
  bank = openBank(":memory:", stoppedClock());
});
afterEach(() => bank.close());

const target = issue("target", { issue: "KeyError when a form is saved", day: 20 });

async function recall(given: Partial<Occasion>, settings: Partial<AdaRepairConfig> = {}) {
  const config = AdaRepairConfig.parse(settings);
  const memory = adaRepair({ bank, config, strictDates: true, recordTokens: 600 });
  const moment = { target, phase: "explore", entry: 1, refining: false, failure: null } as const;
  return memory.recall({ ...moment, ...given });
}

async function ids(stage: Stage, settings: Partial<AdaRepairConfig> = {}, asked = target) {
  const { recollections } = await recall({ ...occasionOf[stage], target: asked }, settings);
  return recollections.map(({ instanceId }) => instanceId);
}

const verified = { reproduced: true, patchApplied: true, verified: true };
const failed = { ...verified, verified: false };
const elsewhere = (name: string, text = `other ${name}`) =>
  issue(name, { issue: text, repo: "else/where" });

describe("routing", () => {
  beforeEach(() =>
    adaRepair({
      bank,
      config: AdaRepairConfig.parse({}),
      strictDates: true,
      recordTokens: 600,
    }).learn(pastEpisode()),
  );

  it.each([
    ["explore", false, "loc"],
    ["hypothesize", false, "rep"],
    ["implement", true, "ref"],
    ["verify", false, "val"],
    ["backtrack", true, "loc"],
  ] as const)("%s (refining: %s) asks %s", async (phase, refining, stage) => {
    const { recollections } = await recall({ phase, refining });
    expect(new Set(recollections.map((one) => one.stage))).toEqual(new Set([stage]));
    expect(recollections[0]).toMatchObject({ source: "adarepair", instanceId: "form-1" });
  });

  it("asks for places where no reproduction is known", async () => {
    const reps = await bank.read({ kind: "rep" });
    await bank.forget(reps.map(({ id }) => id));
    expect((await recall({ phase: "hypothesize" })).recollections[0]?.stage).toBe("loc");
  });

  it("switched off, all stages are one pool", async () => {
    const { recollections } = await recall({ phase: "verify" }, { sar: false, topN: 9 });
    expect(new Set(recollections.map(({ stage }) => stage)).size).toBeGreaterThan(2);
  });

  it("keeps to the budget, three of them together", async () => {
    const long = "x = 1\n".repeat(2000);
    for (const name of ["a", "b", "c"])
      await bank.add([repairMemory("gen", issue(name), { artifact: `${name} ${long}` })]);
    const { recollections } = await recall({ phase: "implement" }, { nearDuplicate: 1 });
    expect(recollections).toHaveLength(3);
    for (const { text } of recollections) expect(tokensOf(text)).toBeLessThanOrEqual(200);
  });
});

describe("coverage", () => {
  beforeEach(async () => {
    await bank.add([repairMemory("gen", issue("own"), { artifact: "own" })]);
    await bank.add([repairMemory("gen", elsewhere("far"), { artifact: "far" })]);
  });

  it("goes to other repositories where the own one has too little", async () => {
    expect((await ids("gen")).toSorted()).toEqual(["far", "own"]);
    expect(await ids("gen", { car: false })).toEqual(["own"]);
    expect(await ids("gen", { kSame: 1 })).toEqual(["own"]);
  });

  it("takes an unknown repository for another one", async () => {
    const unknown: IssueIdentity = { ...target, repo: null };
    expect((await ids("gen", {}, unknown)).toSorted()).toEqual(["far", "own"]);
    expect(await ids("gen", { car: false }, unknown)).toEqual([]);
  });

  it("admits what its stage can be shown by", async () => {
    await bank.add([
      repairMemory("gen", issue("none"), { artifact: "" }),
      repairMemory("gen", issue("unapplied"), { outcome: { ...failed, patchApplied: false } }),
      repairMemory("ref", issue("mute"), { failedAttempt: "x", failureFeedback: "" }),
      repairMemory("loc", issue("open"), { outcome: failed }),
    ]);
    expect(await ids("gen")).not.toContain("none");
    expect(await ids("gen")).not.toContain("unapplied");
    expect(await ids("ref")).toEqual([]);
    expect(await ids("loc")).toEqual([]);
  });
});

describe("quality", () => {
  it("puts a success before a failure that reads more alike", async () => {
    await bank.add([
      repairMemory("gen", issue("alike", { issue: "KeyError when a form is saved now" }), {
        artifact: "form saved KeyError",
        outcome: failed,
      }),
      repairMemory("gen", issue("good", { issue: "KeyError when a form is saved as before" }), {
        artifact: "form saved",
      }),
      repairMemory("gen", issue("unlike", { issue: "wrong plural" }), { artifact: "plural" }),
    ]);
    expect(await ids("gen")).toEqual(["good", "alike", "unlike"]);
    expect(await ids("gen", { qas: false })).toEqual(["alike", "good", "unlike"]);
  });

  it("looks for the failure where there is one", async () => {
    const told = (failureFeedback: string) => ({ failedAttempt: "f", failureFeedback });
    await bank.add([
      repairMemory("ref", issue("a", { issue: "KeyError form saved" }), told("OSError: disk")),
      repairMemory("ref", issue("b", { issue: "unlike" }), told("TypeError: no len()")),
    ]);
    const moment = { phase: "implement", refining: true } as const;
    const first = async (failure: string | null) =>
      (await recall({ ...moment, failure })).recollections[0]?.instanceId;
    expect(await first(null)).toBe("a");
    expect(await first("TypeError: object has no len()")).toBe("b");
  });

  it("looks for the attempt that failed, too", async () => {
    const told = (failedAttempt: string) => ({ failedAttempt, failureFeedback: "KeyError: x" });
    await bank.add([
      repairMemory("ref", issue("a", { issue: "unlike" }), told("return values.get(name)")),
      repairMemory("ref", issue("b", { issue: "unlike, too" }), told("raise KeyError from None")),
    ]);
    const moment = { phase: "implement", refining: true, failure: "KeyError: x" } as const;
    const first = async (given: Partial<Occasion>) =>
      (await recall({ ...moment, ...given })).recollections[0]?.instanceId;
    expect(await first({})).toBe("b");
    expect(await first({ attempt: "return values.get(key)" })).toBe("a");
  });
});

it("never gives what the leak guard denies, and counts it", async () => {
  await bank.add([
    repairMemory("gen", issue("target", { day: 2 })),
    repairMemory("gen", issue("same", { issue: "keyerror, when a form is saved" })),
    repairMemory("gen", issue("later", { day: 20 })),
    repairMemory("gen", issue("undated", { day: null })),
  ]);
  const { recollections, denied } = await recall({ phase: "implement" });
  expect(recollections).toEqual([]);
  expect(denied).toEqual({ same_instance: 1, same_issue: 1, not_earlier: 1, unknown_date: 1 });
});
