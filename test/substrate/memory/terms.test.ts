import { describe, expect, it } from "vitest";
import { stemTerms, termsOf } from "../../../src/substrate/memory/terms.ts";

describe("termsOf", () => {
  it.each([
    [
      "identifiers whole and in parts",
      "parseHTTPHeader",
      ["parsehttpheader", "parse", "http", "header"],
    ],
    ["snake case", "_flush_all_2", ["_flush_all_2", "flush"]],
    ["each word once", "Flush flush FLUSH", ["flush"]],
    ["no numbers, no short words, no stop words", "if 404 is not there, do x of it", []],
    ["dotted names in pieces", "self.stream.flush()", ["self", "stream", "flush"]],
    ["names that every object has", "constructor __proto__", ["constructor", "__proto__", "proto"]],
    ["no encoded data", `ok_${"A".repeat(80)}`, []],
    ["other scripts are passed over", "naïve 文字 flush", ["flush"]],
  ])("%s", (_, text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it("takes a path's base name for the words of the path", () => {
    expect(stemTerms("django/core/base_command.py")).toEqual(["base_command", "base", "command"]);
    expect(stemTerms(".gitignore")).toEqual(["gitignore"]);
  });
});
