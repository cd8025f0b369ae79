import { AdaRepairConfig } from "../../src/domain/config/adarepair.ts";
import { ExpeRepairConfig } from "../../src/domain/config/experepair.ts";
import { SweExpMemoryConfig } from "../../src/domain/config/swe-exp-memory.ts";
import type { LongTermMemory } from "../../src/domain/experience.ts";
import { adaRepair } from "../../src/experience/adarepair/memory.ts";
import { expeRepair } from "../../src/experience/experepair/memory.ts";
import { sweExpMemory } from "../../src/experience/swe-exp/memory.ts";
import { type OpenBank, openBank } from "../../src/store/experience-bank.ts";
import { describeLongTermMemory } from "../contracts/long-term-memory.ts";
import { stoppedClock } from "../stopped-clock.ts";
import { thinking } from "../workflows/swe-exp/brain.ts";
import { scholar } from "./swe-exp/world.ts";

const memories: Readonly<Record<string, (bank: OpenBank) => LongTermMemory>> = {
  experepair: (bank) =>
    expeRepair({
      bank,
      config: ExpeRepairConfig.parse({}),
      strictDates: true,
      recordTokens: 600,
      say: async () => '{"tester": [], "coder": []}',
      embedder: null,
      signal: new AbortController().signal,
    }),
  adarepair: (bank) =>
    adaRepair({
      bank,
      config: AdaRepairConfig.parse({}),
      strictDates: true,
      recordTokens: 600,
    }),
  "swe-exp": (bank) =>
    sweExpMemory({
      bank,
      model: thinking(scholar),
      embedder: null,
      config: SweExpMemoryConfig.parse({ rerank: false }),
      strictDates: true,
      maxOutputTokens: 1000,
      signal: new AbortController().signal,
      warn: () => {},
    }),
};

for (const [name, open] of Object.entries(memories)) {
  describeLongTermMemory(name, async () => {
    const bank = openBank(":memory:", stoppedClock());
    return { memory: open(bank), contents: () => bank.read({}), close: () => bank.close() };
  });
}
