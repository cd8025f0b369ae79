import { describe, expect, it } from "vitest";
import { observe } from "../../src/agent/observation.ts";
import type { CommandResult } from "../../src/domain/environment.ts";

const config = {
  observationChars: 10_000,
  observationHeadChars: 5_000,
  observationTailChars: 5_000,
  timeoutSec: 60,
};

function result(head: string, more: Partial<CommandResult> = {}): CommandResult {
  const bytes = Buffer.from(head);
  return {
    exitCode: 0,
    timedOut: false,
    interrupted: false,
    background: false,
    seconds: 0.1,
    output: { head: bytes, tail: Buffer.alloc(0), totalBytes: bytes.length, file: "/spool/1" },
    ...more,
  };
}

describe("observe", () => {
  it.each<{ name: string; given: CommandResult }>([
    { name: "an output", given: result("one\ntwo\n") },
    { name: "an output without a last newline", given: result("one", { exitCode: 3 }) },
    { name: "no output", given: result("") },
    { name: "a time limit", given: result("begin\n", { exitCode: 124, timedOut: true }) },
    { name: "an interrupt", given: result("half", { exitCode: 137, interrupted: true }) },
    { name: "a background child", given: result("started\n", { background: true }) },
  ])("shows $name", ({ name, given }) => {
    expect(`${name}\n${observe("a", given, config).content}`).toMatchSnapshot();
  });

  it("shows 9,999 characters whole and cuts 10,000 to the two ends", () => {
    expect(observe("a", result("x".repeat(9_999)), config).leftOutBytes).toBe(0);
    const cut = observe("a", result(`${"h".repeat(6_000)}${"t".repeat(6_000)}`), config);
    expect(cut.leftOutBytes).toBe(2_000);
    expect(cut.content).toContain(`<output_head>\n${"h".repeat(5_000)}\n</output_head>`);
    expect(cut.content).toContain("<elided_chars>\n2000 bytes left out\n</elided_chars>");
    expect(cut.content).toContain(`<output_tail>\n${"t".repeat(5_000)}\n</output_tail>`);
  });

  it("counts what stands between two captured ends", () => {
    const output = {
      head: Buffer.from("a".repeat(70_000)),
      tail: Buffer.from(`${"a".repeat(69_989)}\nTAIL-MARK\n`),
      totalBytes: 700_000_011,
      file: "/spool/1",
    };
    const seen = observe("a", result("", { output, exitCode: 5 }), config);
    expect(seen.leftOutBytes).toBe(700_000_011 - 10_000);
    expect(seen.output.startsWith("aaa")).toBe(true);
    expect(seen.output.endsWith("TAIL-MARK\n")).toBe(true);
  });

  it("never cuts inside a code point", () => {
    const seen = observe("a", result(`x${"😀".repeat(8_000)}`), config);
    expect(() => encodeURIComponent(seen.content)).not.toThrow();
    expect(seen.content).not.toContain("\ufffd");
  });
});
