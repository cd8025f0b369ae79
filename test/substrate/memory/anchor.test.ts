import { describe, expect, it } from "vitest";
import type { ExportedSignal } from "../../../src/domain/plan.ts";
import { planAnchor, taskAnchor } from "../../../src/substrate/memory/anchor.ts";
import { editing, reading, remembering } from "./calls.ts";

const signal: ExportedSignal = {
  step: 3,
  phase: "implement",
  policyPhase: "implement",
  activeSubTask: {
    id: "p3",
    title: "Flush the wrapped stream",
    phase: "implement",
    keywords: ["OutputWrapper", "flush"],
    files: ["django/core/wrap.py"],
    position: 3,
  },
  failedSubTask: { id: "p2", title: "State it", keywords: ["isatty"], reason: "stuck" },
  done: 2,
  total: 4,
  recovery: 0,
  backtracks: 0,
  backtrack: false,
  mostTouched: [],
  tokenBudget: 12_000,
  verdict: "undefined",
};
const memory = remembering(
  [
    reading("django/core/base.py", ""),
    reading("django/core/base.py", ""),
    { thought: "Now the settings", ...reading("conf/settings.py", "") },
    editing("lib/deep_copy.py"),
    reading("conf/settings.py", ""),
  ],
  "The flush method is never called",
);

const size = { words: 24, files: 2 };

describe("planAnchor", () => {
  it("asks for the sub-task's words and the most touched files' names, near their files", () => {
    expect(planAnchor(memory, signal, size)).toEqual({
      words: [
        "outputwrapper",
        "output",
        "wrapper",
        "flush",
        "wrapped",
        "stream",
        "settings",
        "base",
      ],
      files: ["django/core/wrap.py", "conf/settings.py", "django/core/base.py", "lib/deep_copy.py"],
    });
  });

  it("asks for the failed sub-task's words too at a backtrack", () => {
    const { words } = planAnchor(memory, { ...signal, policyPhase: "backtrack" }, size);
    expect(words.at(-1)).toBe("isatty");
  });

  it("keeps to so many words", () => {
    const keywords = Array.from(
      { length: 40 },
      (_, index) => `word${"abcdefgh"[index % 8]}${index}`,
    );
    const active = { ...signal.activeSubTask, keywords } as ExportedSignal["activeSubTask"];
    const { words } = planAnchor(memory, { ...signal, activeSubTask: active }, size);
    expect(words).toHaveLength(24);
  });

  it("stands on as many of the most touched files as it is told", () => {
    const { files } = planAnchor(
      memory,
      { ...signal, activeSubTask: null },
      { words: 24, files: 0 },
    );
    expect(files).toEqual(["lib/deep_copy.py"]);
  });

  it("does without a sub-task", () => {
    const { files } = planAnchor(memory, { ...signal, activeSubTask: null }, size);
    expect(files).toEqual(["conf/settings.py", "django/core/base.py", "lib/deep_copy.py"]);
  });
});

describe("taskAnchor", () => {
  it("asks for the issue's first words and what was said last, near the most touched files", () => {
    expect(taskAnchor(memory, 200, size)).toEqual({
      words: ["flush", "method", "never", "called", "cat", "conf", "settings"],
      files: ["conf/settings.py", "django/core/base.py"],
    });
  });
});
