import { describe, expect, it } from "vitest";
import { textSignals } from "../../../src/substrate/planner/text-signals.ts";

const said = (text: string) => {
  const { explores, diagnoses, verifies } = textSignals(text);
  return [explores && "explores", diagnoses && "diagnoses", verifies && "verifies"].filter(Boolean);
};

describe("textSignals", () => {
  it.each([
    ["Let me look at the code", ["explores"]],
    ["I'll first examine `flush`.", ["explores"]],
    ["First, find where it is defined", ["explores"]],
    ["I need to see the class", ["explores"]],
    ["Let's check the imports", ["explores"]],
    ["The bug is in flush", ["diagnoses"]],
    ["I suspect the descriptor", ["diagnoses"]],
    ["this fits my diagnosis", ["diagnoses"]],
    ["That explains the output.", ["diagnoses"]],
    ["The error comes from settings", ["diagnoses"]],
    ["the ROOT CAUSE", ["diagnoses"]],
    ["Now verify the fix", ["verifies"]],
    ["I'll double-check the file", ["verifies"]],
    ["run the existing unit tests", ["verifies"]],
    ["to make sure nothing broke", ["verifies"]],
    ["this confirms my change", ["verifies"]],
    ["Let me look at the code; the bug is in flush", ["explores", "diagnoses"]],
    ["looking good, the issue was closed", []],
    ["I will add a method", []],
    ["", []],
  ])("hears in %j: %j", (text, expected) => {
    expect(said(text)).toEqual(expected);
  });

  it("reads a long text in one pass", () => {
    expect(said("let me ".repeat(200_000))).toEqual([]);
    expect(said(`${"x".repeat(200_000)}\n\nThe bug is here.\n`)).toEqual(["diagnoses"]);
  });
});
