import { describe, expect, it } from "vitest";
import { exitCodeOf, exitCodeOfError, explain } from "../../src/cli/exit-code.ts";
import { exitStatuses } from "../../src/domain/episode.ts";
import { PmcoderError } from "../../src/domain/errors.ts";

describe("the exit status of a run", () => {
  it("is one number for each way to end", () => {
    expect(Object.fromEntries(exitStatuses.map((status) => [status, exitCodeOf(status)]))).toEqual({
      submitted: 0,
      step_limit: 3,
      cost_limit: 3,
      time_limit: 3,
      context_exhausted: 3,
      format_errors: 4,
      no_patch: 4,
      environment_lost: 5,
      image_missing: 5,
      model_unavailable: 6,
      interrupted: 130,
      error: 1,
    });
  });

  it.each([
    ["interrupted", "SIGINT", 130],
    ["interrupted", "SIGTERM", 143],
    ["submitted", "SIGTERM", 0],
    ["step_limit", "SIGTERM", 3],
  ] as const)("%s after %s is %i", (status, signal, code) => {
    expect(exitCodeOf(status, signal)).toBe(code);
  });
});

describe("the exit status of a failure", () => {
  it.each([
    ["usage", 2],
    ["environment_lost", 5],
    ["image_missing", 5],
    ["model_unavailable", 6],
    ["context_exhausted", 3],
    ["interrupted", 130],
    ["storage", 1],
    ["internal", 1],
  ] as const)("%s is %i", (code, number) => {
    expect(exitCodeOfError(new PmcoderError(code, "x"))).toBe(number);
  });

  it("is 143 when SIGTERM interrupted, and 1 for anything unforeseen", () => {
    expect(exitCodeOfError(new PmcoderError("interrupted", "x"), "SIGTERM")).toBe(143);
    expect(exitCodeOfError(new TypeError("x"))).toBe(1);
    expect(exitCodeOfError("x")).toBe(1);
  });
});

describe("an explained error", () => {
  const cause = new Error("ECONNREFUSED");
  const own = new PmcoderError("model_unavailable", "The server does not answer.", { cause });

  it("is its sentence alone", () => {
    expect(explain(own, {})).toBe("The server does not answer.");
    expect(explain(own, { PMCODER_DEBUG: "0" })).toBe("The server does not answer.");
  });

  it("comes with its stack and those of its causes when asked for", () => {
    const text = explain(own, { PMCODER_DEBUG: "1" });
    expect(text).toMatch(/^The server does not answer\.\nPmcoderError: .*\n\s+at /);
    expect(text).toMatch(/\nError: ECONNREFUSED\n\s+at /);
  });

  it.each([
    [new TypeError("x is not a function")],
    [new PmcoderError("internal", "x is not a function")],
    ["x is not a function"],
  ])("%s is an internal error, and says where to report it", (error) => {
    expect(explain(error, {})).toMatchInlineSnapshot(`
      "internal error: x is not a function
      The fault is pmcoder's. Run it again with PMCODER_DEBUG=1 and report the output to its issue tracker."
    `);
  });

  it("of our own making says what to send when its stack is shown", () => {
    const text = explain(new TypeError("x"), { PMCODER_DEBUG: "1" });
    expect(text).toMatch(
      /^internal error: x\nThe fault is pmcoder's\. Report this to .*\nTypeError: x\n\s+at /,
    );
  });

  it("of the file system is a sentence, not an internal error", () => {
    const full = Object.assign(new Error("ENOSPC: write"), { code: "ENOSPC", path: "/tmp/a" });
    expect(explain(full, {})).toBe("/tmp/a cannot be used: no space is left on the device.");
    expect(explain(Object.assign(new Error("EROFS"), { code: "EROFS" }), {})).toBe(
      "A file cannot be used: the file system is read-only.",
    );
  });
});
