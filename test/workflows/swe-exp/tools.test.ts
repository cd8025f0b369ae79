import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { runEpisode } from "../../../src/agent/episode.ts";
import { solveBy } from "../../../src/workflows/solve-by.ts";
import { carryOut } from "../../../src/workflows/swe-exp/carry-out.ts";
import type { Outcome } from "../../../src/workflows/swe-exp/outcome.ts";
import { replySchema, toolsFor } from "../../../src/workflows/swe-exp/tools.ts";
import { Workspace } from "../../../src/workflows/swe-exp/workspace.ts";
import { testEpisode } from "../../episode-parts.ts";
import { thinking } from "./brain.ts";

const files = {
  "pkg/shapes.py": `import math


class Shape:
    def area(self):
        raise NotImplementedError

    def name(self):
        return "shape"


class Circle(Shape):
    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return math.pi * self.radius

async def load_shapes(path):
    return []
`,
  "web/store.ts": `export abstract class Store {
  async load(key: string): Promise<string> {
    return fetchText(key);
  }
}

export const fetchText = async (key: string) => key;
`,
  "web/café menu.js": "function drink(name) {\n  return name;\n}\n",
  "bin/data.bin": "\0\x01area\n",
  "notes.md": "The area of a circle grows with the square of its radius.\n",
};

interface Call {
  readonly tool: string;
  readonly input: object;
}

/** Carries out calls one upon the other in a real repository. */
async function outcomes(calls: readonly Call[]): Promise<readonly Outcome[]> {
  const { parts, folder } = await testEpisode(thinking({}), files);
  execFileSync("ln", ["-s", "/etc/hostname", "outside.txt"], { cwd: folder });
  const all: Outcome[] = [];
  const solve = solveBy(async (run) => {
    const workspace = new Workspace(run);
    let overlay: Outcome["overlay"] = new Map();
    for (const call of calls) {
      const reply = replySchema(toolsFor(null)).parse(call);
      const patch = await workspace.patch(overlay);
      const looking = { workspace, overlay, patch, results: 5, chars: 2000 };
      const outcome = await carryOut(reply.call, looking, 50);
      ({ overlay } = outcome);
      all.push(outcome);
    }
    return workspace.patch(overlay);
  });
  const end = await runEpisode({ ...parts, solve });
  if (end.status === "error") throw end.fault;
  return all;
}

const find = (tool: string, input: object) => ({ tool, input });
const replace = (path: string, old: string, now: string) =>
  find("StringReplace", { path, old_str: old, new_str: now });

describe("the tools of SWE-Exp", () => {
  it("find code, view it, and say what is not there", async () => {
    const calls = [
      find("FindClass", { class_name: "Circle" }),
      find("FindClass", { class_name: "Store" }),
      find("FindFunction", { function_name: "area", class_name: "Circle" }),
      find("FindFunction", { function_name: "Circle.area" }),
      find("FindFunction", { function_name: "load" }),
      find("FindFunction", { function_name: "drink", file_pattern: "web/" }),
      find("FindFunction", { function_name: "drink", file_pattern: "*.py" }),
      find("FindCodeSnippet", { code_snippet: 'def name(self):\n        return "shape"' }),
      find("FindClass", { class_name: "Sq(uare" }),
      find("FindCodeSnippet", { code_snippet: "'; touch /tmp/pwned; '" }),
      find("ViewCode", {
        files: [{ path: "/testbed/pkg/shapes.py", start_line: 12, end_line: 13 }],
      }),
      find("ViewCode", { files: [{ path: "src/shapes.py" }] }),
      find("ViewCode", { files: [{ path: "../../etc/passwd" }] }),
    ];
    const shown = (await outcomes(calls)).map(({ observation, seen, expectsCorrection }) => ({
      text: observation.split("\n").slice(0, 4),
      seen: seen.map(({ file, start, end }) => `${file}:${start}-${end}`).join(" "),
      expectsCorrection,
    }));
    expect(shown.map(({ seen }) => seen)).toEqual([
      "pkg/shapes.py:12-17",
      "web/store.ts:1-5",
      "pkg/shapes.py:16-17",
      "pkg/shapes.py:16-17",
      "web/store.ts:2-4",
      "web/café menu.js:1-3",
      "",
      "pkg/shapes.py:8-9",
      "",
      "",
      "pkg/shapes.py:12-13",
      "",
      "",
    ]);
    expect(
      shown.filter(({ expectsCorrection }) => expectsCorrection).map(({ text }) => text),
    ).toMatchInlineSnapshot(`
      [
        [
          "There is no definition of drink.",
        ],
        [
          ""Sq(uare" is not the name of one thing.",
        ],
        [
          "There is no place with that code.",
        ],
        [
          "There is no file src/shapes.py. Did you mean pkg/shapes.py?",
        ],
        [
          "There is no file ../../etc/passwd.",
        ],
      ]
    `);
    expect(shown[10]?.text).toEqual([
      "pkg/shapes.py (lines 12 to 13 of 20):",
      "    12\tclass Circle(Shape):",
      "    13\t    def __init__(self, radius):",
    ]);
  });

  it("rank files by the words of a description", async () => {
    const [found, none] = await outcomes([
      find("SemanticSearch", { query: "the area of a circle and its radius" }),
      find("SemanticSearch", { query: "quaternion" }),
    ]);
    expect(found?.seen.map(({ file }) => file)).toEqual(["pkg/shapes.py", "notes.md"]);
    expect(none?.observation).toBe("No file holds any of these words.");
  });

  it("change files, and tell what cannot be changed or no longer parses", async () => {
    const results = await outcomes([
      replace("pkg/shapes.py", "math.pi * self.radius", "math.pi * self.radius ** 2"),
      replace("pkg/shapes.py", "math.pi * self.radius\n", ""),
      replace("pkg/shapes.py", "def area(self):", "def surface(self):"),
      replace("web/store.ts", "key", "key"),
      replace("bin/data.bin", "area", "surface"),
      replace("outside.txt", "a", "b"),
      replace("web/café menu.js", "return name;", "return name.trim();"),
      replace("web/café menu.js", "return name.trim();", "return name.trim(;"),
      find("CreateFile", { path: "pkg/square.py", file_text: "side = 3\n" }),
      find("CreateFile", { path: "pkg/square.py", file_text: "" }),
      find("CreateFile", { path: "../out.py", file_text: "" }),
      find("CreateFile", { path: ".git/hooks/pre-commit", file_text: "" }),
      find("CreateFile", { path: "notes.md/inner.py", file_text: "x = 1\n" }),
      find("FindCodeSnippet", { code_snippet: "side = 3" }),
      find("ViewCode", { files: [{ path: "pkg/shapes.py", start_line: 17, end_line: 17 }] }),
      find("Finish", {}),
    ]);
    expect(results.map(({ observation }) => observation.split("\n")[0])).toMatchInlineSnapshot(`
      [
        "Changed pkg/shapes.py (lines 13 to 20 of 20):",
        "pkg/shapes.py does not hold the old text exactly so. Its first line stands at line 17: compare white space and what follows.",
        "The old text stands in pkg/shapes.py more than once, at lines 5 and 16. Give more of the lines around it.",
        "The old and the new text are the same: nothing would change.",
        "bin/data.bin is no text file in UTF-8, so it is left alone.",
        "outside.txt cannot be changed so: it is a symbolic link",
        "Changed web/café menu.js (lines 1 to 3 of 3):",
        "Changed web/café menu.js (lines 1 to 3 of 3):",
        "Changed pkg/square.py (lines 1 to 1 of 1):",
        "pkg/square.py exists already: change it with StringReplace.",
        ""../out.py" is no path of a new file within the repository.",
        "".git/hooks/pre-commit" is no path of a new file within the repository.",
        "notes.md/inner.py cannot be changed so: error: unable to write file 'notes.md/inner.py' mode 100644: Not a directory",
        "Found: place with that code, 1 in all.",
        "pkg/shapes.py (lines 17 to 17 of 20):",
        "Finished.",
      ]
    `);
    expect(results.map(({ expectsCorrection }) => (expectsCorrection ? "-" : "+")).join("")).toBe(
      "+-----+-+----+++",
    );
    expect([...(results.at(-1)?.overlay.keys() ?? [])]).toEqual([
      "pkg/shapes.py",
      "web/café menu.js",
      "pkg/square.py",
    ]);
  });
});
