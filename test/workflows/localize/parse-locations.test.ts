import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLocations } from "../../../src/workflows/localize/parse-locations.ts";

const files = new Set(["src/a.py", "src/b.py", "setup.py"]);

describe("the locations of an answer", () => {
  it("are its paths in order, with classes, functions and lines", () => {
    const answer = `First I thought of setup.py.
\`\`\`
src/b.py
class: Parser
function: Parser.read()
line: 12, 40

./src/a.py:7
function: other
src/b.py
line: 90
src/none.py
\`\`\`
That is all; setup.py is not it.`;
    expect(parseLocations(answer, files)).toEqual([
      { file: "src/b.py", names: ["Parser", "Parser.read"], lines: [12, 40, 90] },
      { file: "src/a.py", names: ["other"], lines: [7] },
    ]);
  });

  it.each([
    ["1. `src/a.py` (most likely)\n2. **src/b.py**", ["src/a.py", "src/b.py"]],
    ["/testbed/src/a.py:10-20", ["src/a.py"]],
    ["```\nnothing here\n```\n```python\nsrc/a.py\n```", ["src/a.py"]],
    ["class: A\nline: 3", []],
    ["", []],
  ])("are found in %j", (answer, found) => {
    expect(parseLocations(answer, files).map(({ file }) => file)).toEqual(found);
  });

  it("are files that are there, each once, whatever the answer", () => {
    const piece = fc.constantFrom(
      "src/a.py",
      "```",
      "\n",
      ":",
      "line: 1",
      "/x/src/b.py",
      "class: é",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const found = parseLocations(pieces.join(" "), files).map(({ file }) => file);
        expect(new Set(found).size).toBe(found.length);
        expect(found.every((file) => files.has(file))).toBe(true);
      }),
    );
  });
});
