import { describe, expect, it } from "vitest";
import {
  normalPatch,
  predictionsText,
  readPredictions,
} from "../../../src/eval/grading/predictions.ts";

const made = (instance_id: string, model_patch: string | null) => ({
  instance_id,
  model_name_or_path: "lamp",
  model_patch,
});

describe("predictions", () => {
  it.each([
    { patch: null, normal: "" },
    { patch: "", normal: "" },
    { patch: "\n", normal: "" },
    { patch: " \t\r\n", normal: "" },
    { patch: "diff --git a/x b/x\n", normal: "diff --git a/x b/x\n" },
    { patch: "\n diff", normal: "\n diff" },
  ])("make $patch into $normal", ({ patch, normal }) => {
    expect(normalPatch(patch)).toBe(normal);
  });

  it.each([
    [
      "JSON lines",
      "preds.jsonl",
      [made("a", "diff"), made("b", null)].map((row) => JSON.stringify(row)).join("\n"),
    ],
    ["an array", "preds.json", JSON.stringify([made("a", "diff"), made("b", " \n")])],
    ["an object", "preds.json", JSON.stringify({ a: made("a", "diff"), b: made("b", "") })],
  ])("are read from %s", (_, origin, content) => {
    expect(readPredictions(content, origin)).toEqual([made("a", "diff"), made("b", "")]);
  });

  it.each([
    [
      "two for one",
      [made("a", "x"), made("a", "y")],
      "preds.json has two predictions for a; keep one.",
    ],
    ["no id", [{ model_name_or_path: "lamp" }], /preds\.json, row 1: instance_id: /],
    ["no model", [{ instance_id: "a" }], /row 1: model_name_or_path: /],
    ["a patch of another kind", [{ ...made("a", null), model_patch: 3 }], /row 1: model_patch: /],
  ])("are refused with %s", (_, rows, message) => {
    expect(() => readPredictions(JSON.stringify(rows), "preds.json")).toThrow(message);
  });

  it("are refused when they are no JSON", () => {
    expect(() => readPredictions("{", "preds.json")).toThrow("preds.json: expected JSON.");
  });

  it("are written by instance, and read again as they were", () => {
    const text = predictionsText([
      { ...made("a", null), model_patch: "diff\n" },
      { ...made("b", null), model_patch: "\n" },
    ]);
    expect(text).toMatchInlineSnapshot(`
      "{
        "a": {
          "model_name_or_path": "lamp",
          "instance_id": "a",
          "model_patch": "diff\\n"
        },
        "b": {
          "model_name_or_path": "lamp",
          "instance_id": "b",
          "model_patch": ""
        }
      }
      "
    `);
    expect(readPredictions(text, "preds.json").map(({ model_patch }) => model_patch)).toEqual([
      "diff\n",
      "",
    ]);
  });
});
