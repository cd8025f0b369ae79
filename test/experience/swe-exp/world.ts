import { onTestFinished } from "vitest";
import { SweExpMemoryConfig } from "../../../src/domain/config/swe-exp-memory.ts";
import type { Embedder } from "../../../src/domain/embedder.ts";
import type { IssueIdentity, PastEpisode } from "../../../src/domain/experience.ts";
import { sweExpMemory } from "../../../src/experience/swe-exp/memory.ts";
import { openBank } from "../../../src/store/experience-bank.ts";
import { type Brain, thinking } from "../../workflows/swe-exp/brain.ts";

export const patch = `diff --git a/lib/store.py b/lib/store.py
--- a/lib/store.py
+++ b/lib/store.py
@@ -1 +1 @@
-    return self.row_count
+    return len(self.rowList)
`;

export const day = 86_400_000;
export const target: IssueIdentity = {
  instanceId: "django__django-9",
  repo: "django/django",
  issue: "Counting rows gives the old number after a delete.",
  createdAt: 100 * day,
};

const step = {
  index: 1,
  thought: "look",
  command: "cat lib/store.py",
  output: "return self.row_count",
  exitCode: 0,
  timedOut: false,
};

export function episode(
  name: string,
  over: Partial<Omit<PastEpisode, "from">> & { from?: Partial<IssueIdentity> } = {},
) {
  const { from, ...rest } = over;
  return {
    from: {
      instanceId: name,
      repo: "sympy/sympy",
      issue: `issue ${name}`,
      createdAt: day,
      ...from,
    },
    source: `run ${name}`,
    resolved: true,
    root: "/testbed",
    steps: [step],
    patch,
    ...rest,
  } satisfies PastEpisode;
}

/** Types an issue by its name, so that each is found by it. */
export const scholar: Brain = {
  type: (prompt) => ({
    issue_type: "stale cache",
    description: `about ${/issue (\w+)$/m.exec(prompt)?.[1] ?? "counting"}`,
  }),
  distil: (prompt) =>
    prompt.includes('{"perspective": "…"}')
      ? { perspective: "A number that is kept beside what it counts grows old." }
      : prompt.includes('{"modification": ["…", "…"]}')
        ? { modification: ["Count when asked.", "Keep no copy."] }
        : { perspective: ["It looked at the view only."], modification: "Change the model." },
};

export const embedder = (vectors: Readonly<Record<string, readonly number[]>>): Embedder => ({
  name: "embed:test",
  embed: async (texts) =>
    texts.map((text) => vectors[/about (\w+)/.exec(text)?.[1] ?? ""] ?? [0, 1]),
});

export function world(brain: Brain = scholar, config: object = {}, found: Embedder | null = null) {
  const bank = openBank(":memory:", { now: () => 0 });
  onTestFinished(() => bank.close());
  const model = thinking(brain);
  const warnings: string[] = [];
  const open = (more: object = {}, other: Embedder | null = found) =>
    sweExpMemory({
      bank,
      model,
      embedder: other,
      config: SweExpMemoryConfig.parse({ ...config, ...more }),
      strictDates: true,
      maxOutputTokens: 1000,
      signal: new AbortController().signal,
      warn: (text) => void warnings.push(text),
    });
  return { bank, model, warnings, open, memory: open() };
}
