import { describe, expect, it } from "vitest";
import { numberColumn, textColumn } from "../../../src/eval/report/document.ts";
import { markdownOf, tableMarkdown } from "../../../src/eval/report/markdown.ts";

const table = {
  id: "t",
  caption: "Names",
  columns: [textColumn("name"), numberColumn("n")],
  rows: [
    ["sympy__sympy-23824", "1"],
    ["a|b", "2"],
    ["*loud* `code` [link](x) _ends_", "3"],
    ["<b>bold</b> p < .05\nnext line", "4"],
    ["back\\slash", "5"],
  ],
  notes: ["A note."],
  reads: "Read: nothing.",
};

describe("a table as Markdown", () => {
  it("keeps names as text and rows on one line", () => {
    expect(tableMarkdown(table)).toMatchInlineSnapshot(`
      "**Names**

      | name | n |
      | --- | ---: |
      | sympy__sympy-23824 | 1 |
      | a\\|b | 2 |
      | \\*loud\\* \\\`code\\\` \\[link\\](x) \\_ends\\_ | 3 |
      | \\<b>bold\\</b> p < .05 next line | 4 |
      | back\\\\slash | 5 |

      A note.

      Read: nothing."
    `);
  });

  it("is left out of a report where it is a list to look things up in", () => {
    const section = (isList?: true) => ({
      id: "s",
      title: "Section",
      text: [],
      figures: [],
      tables: [{ ...table, ...(isList ? { isList } : {}) }],
    });
    const report = (isList?: true) =>
      markdownOf({ title: "T", summary: [], warnings: [], sections: [section(isList)] });
    expect(report()).toContain("**Names**");
    expect(report(true)).toBe("# T\n\n## Section\n");
  });
});
