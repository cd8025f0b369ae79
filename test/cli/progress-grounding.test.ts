import { describe, expect, it } from "vitest";
import { corruptLines, verdictLine } from "../../src/cli/progress-grounding.ts";
import { plain } from "../../src/cli/terminal-text.ts";
import type { VerdictRecord } from "../../src/domain/evidence.ts";

const verdict = (record: Partial<VerdictRecord>): string =>
  verdictLine(
    {
      callId: "c",
      verdict: "undefined",
      signature: "t",
      cached: false,
      exitCode: null,
      seconds: 0,
      tail: "",
      note: null,
      ...record,
    },
    plain,
  );

describe("what a person sees of grounding", () => {
  it.each([
    [{ verdict: "pass", exitCode: 0, seconds: 3.2 }, "the issue no longer shows (exit 0, 3.2 s)"],
    [{ verdict: "fail", exitCode: 1, seconds: 61 }, "the issue still shows (exit 1, 1 min 01 s)"],
    [{ verdict: "fail", cached: true }, "the issue still shows (this tree is known)"],
    [{ exitCode: 124, seconds: 180 }, "no verdict (exit 124, 3 min 00 s)"],
    [{ signature: null }, "no verdict (a source file does not parse)"],
    [{}, "no verdict (not run)"],
  ] as const)("%j", (record, text) => {
    expect(verdict(record)).toBe(`  repro   ${text}`);
  });

  it("names files that do not parse, control characters shown", () => {
    const corrupt = [
      { file: "a.py", line: 3, message: "IndentationError: no" },
      { file: "b\u001b.js", line: null, message: "SyntaxError: no" },
    ];
    const [first, second] = corruptLines({ callId: "c", checked: [], corrupt, note: null }, plain);
    expect(first).toBe("  broken  a.py:3 IndentationError: no");
    expect(second).not.toContain("\u001b");
  });
});
