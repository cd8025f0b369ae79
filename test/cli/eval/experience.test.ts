import { join } from "node:path";
import { expect, it } from "vitest";
import { AdaRepairConfig } from "../../../src/domain/config/adarepair.ts";
import type { PastEpisode } from "../../../src/domain/experience.ts";
import { adaRepair } from "../../../src/experience/adarepair/memory.ts";
import { openBank } from "../../../src/store/experience-bank.ts";
import { eventsOf, world } from "../run-world.ts";
import { evalRun, resultLines } from "./world.ts";

const step = (index: number, command: string, exitCode: number) => ({
  ...{ index, thought: "", command, output: exitCode === 0 ? "" : "wrong", exitCode },
  timedOut: false,
});

const past: PastEpisode = {
  from: { instanceId: "b__b-1", repo: "b/b", issue: "Another answer is wrong.", createdAt: 1 },
  source: "run-of-b",
  resolved: true,
  root: "/testbed",
  steps: [
    step(1, "cat answer.py", 0),
    step(2, "python -m pytest tests", 1),
    step(3, "sed -i s/1/2/ answer.py", 0),
    step(4, "python -m pytest tests", 0),
  ],
  patch: "--- a/answer.py\n+++ b/answer.py\n@@ -1 +1 @@\n-answer = 1\n+answer = 2\n",
};

it("an experiment recalls from the bank that it names, and changes nothing in it", async () => {
  const at = world();
  const file = join(at.folder, "trial", "bank.db");
  const bank = openBank(file, { now: () => 1 });
  const config = AdaRepairConfig.parse({});
  await adaRepair({ bank, config, strictDates: true, recordTokens: 600 }).learn(past);
  const before = await bank.read({});
  expect(before.length).toBeGreaterThan(0);
  const arms = [
    { name: "taught", from: "full", settings: { experience: { strictDates: false } } },
    { name: "alone", from: "full", settings: { experience: { names: [] } } },
  ];
  const more = { experience: { names: ["adarepair"], bank: "bank.db" } };
  const { code, err, output } = await evalRun(at, { instances: ["a__a-1"], arms, more });
  expect({ code, err }).toMatchObject({ code: 0 });
  const recalled = new Map<string, number>();
  for (const { job } of resultLines(output)) {
    const events = await eventsOf(join(output, job));
    const briefs = events.filter((event) => event.type === "experience");
    recalled.set(job, briefs.flatMap((event) => event.recalled).length);
  }
  expect(recalled.get("taught/seed-1/a__a-1")).toBeGreaterThan(0);
  expect(recalled.get("alone/seed-1/a__a-1")).toBe(0);
  expect(await bank.read({})).toEqual(before);
  await bank.close();
});
