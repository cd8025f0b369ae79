import { RunConfig } from "../../../src/domain/config/run-config.ts";
import type { ExportedSignal, MemoryStats } from "../../../src/domain/plan.ts";
import type { Recollection } from "../../../src/substrate/injection/block.ts";
import { noBlockYet } from "../../../src/substrate/injection/firing.ts";
import { inject, type Offer, type OfferedMemory } from "../../../src/substrate/injection/inject.ts";
import { emptyStats } from "../../../src/substrate/memory/statistics.ts";

export const config = RunConfig.parse({}).injection;
export const options = { config, seed: 1 };

export const plan: ExportedSignal = {
  step: 1,
  phase: "explore",
  policyPhase: "explore",
  activeSubTask: {
    id: "p1",
    title: "Find the code",
    phase: "explore",
    keywords: [],
    files: [],
    position: 1,
  },
  failedSubTask: null,
  done: 0,
  total: 4,
  recovery: 0,
  backtracks: 0,
  backtrack: false,
  mostTouched: [],
  tokenBudget: 20_000,
  verdict: "undefined",
};
export const churned: MemoryStats = {
  ...emptyStats,
  editsSincePass: { "base.py": 3, "other.py": 2 },
  topTouched: [
    { file: "base.py", n: 4 },
    { file: "other.py", n: 2 },
    { file: "third.py", n: 1 },
  ],
};
const recollection = (id: number): Recollection => ({
  id,
  label: `f${id}.py`,
  view: `line ${id}\nmore`,
});
export const recalling = (...ids: number[]): OfferedMemory => ({
  stats: churned,
  focus: ["base.py"],
  recalled: ids.map(recollection),
  eligible: [...ids, 90, 91].map(recollection),
});
export const offer = (facts: Partial<Offer>): Offer => ({
  step: 1,
  signal: plan,
  memory: recalling(),
  isArmed: true,
  isSubmit: false,
  hint: null,
  ...facts,
});

/** The blocks of consecutive offers. */
export function blocks(offers: readonly Partial<Offer>[], using = options): (string | null)[] {
  let state = noBlockYet;
  return offers.map((facts) => {
    const injection = inject(state, offer(facts), using);
    state = injection.state;
    return injection.block;
  });
}
