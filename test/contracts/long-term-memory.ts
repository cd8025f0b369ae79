import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type {
  IssueIdentity,
  LongTermMemory,
  Occasion,
  PastEpisode,
} from "../../src/domain/experience.ts";
import { phases } from "../../src/domain/phase.ts";
import { pastEpisode } from "../experience/past-episodes.ts";

export interface OpenedMemory {
  readonly memory: LongTermMemory;
  /** All that it keeps, as a value. */
  contents(): Promise<unknown>;
  close(): Promise<void>;
}

const day = 86_400_000;

const issueOf = (
  n: number,
  { repo = "a/a", at = n }: { readonly repo?: string; readonly at?: number | null } = {},
): IssueIdentity => ({
  instanceId: `a__a-${n}`,
  repo,
  issue: `KeyError ${n} when an empty form is saved`,
  createdAt: at === null ? null : at * day,
});

const episodeOf = (from: IssueIdentity): PastEpisode =>
  pastEpisode({ from, source: `run-${from.instanceId}` });

/** Each moment of an episode. */
const occasionsFor = (target: IssueIdentity): readonly Occasion[] =>
  [...phases, "backtrack" as const].flatMap((phase, at) =>
    [false, true].map((refining) => ({
      ...{ target, phase, entry: at + 1, refining },
      failure: refining ? "KeyError: 'name'" : null,
    })),
  );

async function recalledFor(memory: LongTermMemory, target: IssueIdentity) {
  const answers = [];
  for (const occasion of occasionsFor(target)) answers.push(await memory.recall(occasion));
  return answers.flatMap(({ recollections }) => recollections);
}

const reflowed = (text: string) => `> ${text.toUpperCase().replaceAll(" ", "\n")}!`;

/** Whether a memory of one issue may hold the answer to another; null: nobody knows whose it is. */
function mayTell(source: IssueIdentity | null, target: IssueIdentity): boolean {
  if (source === null || source.instanceId === target.instanceId) return true;
  const { issue, createdAt } = source;
  const isSame = [issue, reflowed(issue)].includes(target.issue);
  return isSame || createdAt === null || createdAt >= (target.createdAt ?? 0);
}

/** What every memory across issues keeps to. `open` gives an empty one with strict dates. */
export function describeLongTermMemory(name: string, open: () => Promise<OpenedMemory>): void {
  describe(`${name} as a long-term memory`, () => {
    let opened: OpenedMemory;
    let memory: LongTermMemory;
    beforeEach(async () => {
      opened = await open();
      memory = opened.memory;
    });
    afterEach(() => opened.close());

    it("has nothing to say before it has learned", async () => {
      expect(await recalledFor(memory, issueOf(9))).toEqual([]);
    });

    it("recalls for a later issue what an earlier one taught, with its source", async () => {
      expect((await memory.learn(episodeOf(issueOf(1, { repo: "b/b" })))).added).toBeGreaterThan(0);
      const later = issueOf(9, { repo: "b/b" });
      const found = [
        ...(await recalledFor(memory, later)),
        ...(await recalledFor(memory, issueOf(9))),
      ];
      expect(found.map(({ instanceId }) => instanceId)).toContain("a__a-1");
      for (const { id, text, score } of found) {
        expect([id.trim(), text.trim()]).not.toContain("");
        expect(Number.isFinite(score)).toBe(true);
      }
    });

    it("learns from the same episode once", async () => {
      await memory.learn(episodeOf(issueOf(1)));
      const before = await opened.contents();
      expect(await memory.learn(episodeOf(issueOf(1)))).toMatchObject({ added: 0 });
      expect(await opened.contents()).toEqual(before);
    });

    it("changes nothing by recalling, and says the same again", async () => {
      for (const n of [1, 2]) await memory.learn(episodeOf(issueOf(n, { repo: "b/b" })));
      const before = await opened.contents();
      const first = await recalledFor(memory, issueOf(9));
      expect(await recalledFor(memory, issueOf(9))).toEqual(first);
      expect(await opened.contents()).toEqual(before);
    });

    it("gives nothing of the issue itself, under whatever name, and nothing that is not earlier", async () => {
      const someRepo = fc.constantFrom("a/a", "b/b");
      const someDay = fc.option(fc.integer({ min: 1, max: 6 }));
      const someIssue = fc.record({
        n: fc.integer({ min: 1, max: 4 }),
        repo: someRepo,
        at: someDay,
      });
      const learned = new Map<string | null, IssueIdentity>();
      await fc.assert(
        fc.asyncProperty(someIssue, someIssue, fc.boolean(), async (past, asked, isCopy) => {
          const from = { ...issueOf(past.n, past), instanceId: `p-${JSON.stringify(past)}` };
          await memory.learn(episodeOf(from));
          learned.set(from.instanceId, from);
          const target = isCopy
            ? { ...issueOf(asked.n, asked), issue: reflowed(from.issue), instanceId: "copy" }
            : { ...issueOf(asked.n, asked), instanceId: from.instanceId };
          const found = await recalledFor(memory, target);
          const sources = found.map(({ instanceId }) => learned.get(instanceId) ?? null);
          expect(sources.filter((source) => mayTell(source, target))).toEqual([]);
        }),
        { numRuns: 25 },
      );
    });

    it("says that its bank cannot be read or written", async () => {
      await opened.close();
      const failure = expect.objectContaining({ code: "storage" });
      await expect(memory.learn(episodeOf(issueOf(1)))).rejects.toEqual(failure);
      await expect(recalledFor(memory, issueOf(9))).rejects.toEqual(failure);
    });
  });
}
