import type { Bank } from "../../domain/bank.ts";
import type { AdaRepairConfig } from "../../domain/config/adarepair.ts";
import type { LongTermMemory, Occasion, Recollection, Stage } from "../../domain/experience.ts";
import { rememberStages } from "../episodes/remember-stages.ts";
import { GuardedBank } from "../guarded-bank.ts";
import { renderRepair, tokensFor } from "../render-repair.ts";
import { route } from "./routing.ts";
import { type Selected, selectMemories } from "./select.ts";

export interface AdaRepairParts {
  readonly bank: Bank;
  readonly config: AdaRepairConfig;
  readonly strictDates: boolean;
  /** For all memories of one recall. */
  readonly recordTokens: number;
}

/**
 * AdaRepair-Mem (arXiv:2609.20130): ExpeRepair's demonstrations, recalled for the stage at hand from
 * the own repository or, where that has too little, from others. Asks no model.
 */
export function adaRepair({
  bank,
  config,
  strictDates,
  recordTokens,
}: AdaRepairParts): LongTermMemory {
  return {
    recall: async (occasion) => {
      const guarded = new GuardedBank(
        bank,
        { repository: "any", earlier: "all", strict: strictDates },
        occasion.target,
      );
      const selected = await selectFor(guarded, occasion, config);
      const tokens = tokensFor(recordTokens, selected.length);
      return {
        recollections: selected.map((one) => recollectionOf(one, tokens)),
        denied: guarded.denied,
      };
    },
    learn: (episode) => rememberStages(bank, episode),
  };
}

async function selectFor(
  bank: GuardedBank,
  occasion: Occasion,
  config: AdaRepairConfig,
): Promise<readonly Selected[]> {
  const { target, failure, attempt } = occasion;
  const stages: readonly (Stage | null)[] = config.sar ? route(occasion) : [null];
  for (const stage of stages) {
    const { repo, issue } = target;
    const { selected } = await selectMemories(
      bank,
      { repo, issue, failure, attempt, stage },
      config,
    );
    if (selected.length > 0) return selected;
  }
  return [];
}

function recollectionOf({ id, score, memory }: Selected, tokens: number): Recollection {
  const { stage, from } = memory;
  return {
    id,
    source: "adarepair",
    stage,
    instanceId: from.instanceId,
    score,
    text: renderRepair(memory, tokens),
  };
}
