import { openBank } from "../../src/store/experience-bank.ts";
import { memoryOf } from "../experience/memories.ts";

/**
 * A process of its own that learns into `file` as `name`: `rounds` memories, a use of the one that
 * all learners share, and a line in the list that all of them change.
 */
const [file = "", name = "", rounds = "1"] = process.argv.slice(2);
const place = { system: "experepair", kind: "insight:coder", repo: "sympy/sympy" } as const;
const bank = openBank(file, { now: () => Date.now() });
for (let round = 1; round <= Number(rounds); round += 1) {
  const terms = { issue: ["shared", name, `${name}${round}`] };
  const shared = memoryOf({ payload: "shared", terms: { issue: ["shared"] } });
  const added = await bank.add([memoryOf({ payload: [name, round], terms }), shared]);
  await bank.count([added[1]?.id ?? ""], "uses");
  await appendInsight(`${name} ${round}`);
}
await bank.close();

async function appendInsight(text: string): Promise<void> {
  for (;;) {
    const list = await bank.read(place);
    const kept = list.map(({ payload }) => memoryOf({ ...place, payload }));
    const ids = list.map(({ id }) => id);
    if (await bank.replace(place, ids, [...kept, memoryOf({ ...place, payload: text })])) return;
  }
}
