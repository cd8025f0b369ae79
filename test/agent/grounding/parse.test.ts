import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { isParsable, type Parse, parseFiles } from "../../../src/agent/grounding/parse.ts";
import { place } from "./place.ts";

const broken = (line: number | null, message: RegExp): Parse => ({
  state: "broken",
  line,
  message: expect.stringMatching(message),
});
const whole: Parse = { state: "whole" };

/** Content, and what Python 3 says of it. */
const pythonCases: readonly (readonly [string, string, Parse])[] = [
  [
    "a body that is missing",
    "def foo():\nfoo()\n",
    broken(2, /^IndentationError: expected an indented/),
  ],
  ["a block that never begins", "if True:\n", broken(1, /^IndentationError: /)],
  [
    "tabs mixed with spaces",
    "if True:\n        a = 1\n\tb = 2\n",
    broken(3, /^TabError: inconsistent use of tabs/),
  ],
  ["a statement of Python 2", "print 'a'\n", broken(1, /^SyntaxError: Missing parentheses/)],
  ["a bracket left open", "a = (1,\nb = 2\n", broken(1, /^SyntaxError: /)],
  [
    "a character no code has",
    "a = “b”\n",
    broken(1, /^SyntaxError: invalid character '\?' \(U\+201C\)/),
  ],
  ["a NUL byte", "a = '\0'\n", broken(null, /null bytes/)],
  ["nothing", "", whole],
  ["an escape that only warns", "a = '\\d'\n", whole],
  ["its own coding line", "# -*- coding: latin-1 -*-\na = '\u00e9'\n", whole],
  ["a new file without a newline at its end", "a = 1", whole],
];

/** Content by file, and what Babel says of it. */
const scriptCases: readonly (readonly [string, string, Parse])[] = [
  ["a.js", "const a = {\n  b: 1,\n;\n", broken(3, /^SyntaxError: Unexpected token$/)],
  ["a.mjs", "import a from 'a';\nexport { b };\nawait a;\n", whole],
  ["a.cjs", "return require('a');\n", whole],
  ["a.jsx", "export const A = () => <b>{1}</b>;\n", whole],
  ["flow.js", "// @flow\nfunction f(a: ?number): void {}\n", whole],
  ["a.js", "const a: = 1;\n", broken(1, /^SyntaxError: /)],
  ["a.ts", "@dec class A { constructor(private a?: number) {} }\nlet b = <string>c;\n", whole],
  ["a.ts", "function f(a: number {\n}\n", broken(1, /^SyntaxError: /)],
  ["a.tsx", "const A = <T,>(a: T) => <b>{a}</b>;\n", whole],
  ["a.d.ts", "declare const a: number;\nexport function f(a: string): void;\n", whole],
];

describe("parsing", () => {
  it.each(pythonCases)("Python with %s", async (_name, content, expected) => {
    const file = content.startsWith("# -*-") ? Buffer.from(content, "latin1") : content;
    const { environment } = await place({ "m.py": "", "x.txt": "" });
    const bytes = Buffer.from(file).toString("base64");
    await environment.execute(`echo ${bytes} | base64 -d > m.py`, { timeoutSec: 20 });
    expect((await parseFiles(environment, ["m.py"], 10)).get("m.py")).toEqual(expected);
  });

  it.each(scriptCases)("%s: %j", async (name, content, expected) => {
    const { environment } = await place({ [name]: content });
    expect((await parseFiles(environment, [name], 10)).get(name)).toEqual(expected);
  });

  it("leaves nothing behind, whatever the repository calls its modules", async () => {
    const own = { "sys.py": "raise SystemExit(9)\n", "ast.py": "raise SystemExit(9)\n" };
    const { environment } = await place({ ...own, "it's a.py": "x = 1\n" });
    const found = await parseFiles(environment, ["it's a.py", "sys.py", "gone.py"], 10);
    expect([...found]).toEqual([
      ["it's a.py", whole],
      ["sys.py", whole],
      ["gone.py", { state: "gone" }],
    ]);
    expect(readdirSync(environment.workdir).sort()).toEqual([
      ".git",
      "ast.py",
      "it's a.py",
      "sys.py",
    ]);
  });

  it("gives no answer past the time limit", async () => {
    const { environment } = await place({ "m.py": "" });
    await environment.execute("rm m.py && mkfifo m.py", { timeoutSec: 20 });
    expect((await parseFiles(environment, ["m.py"], 0.5)).get("m.py")).toEqual({
      state: "unknown",
    });
  });

  it("asks the syntax tree where there is no interpreter", async () => {
    const { environment } = await place(
      {
        "a.py": "def f(:\n  pass\n",
        "b.py": "x = [\n  1]\n",
        "c.py": `y = "${"é".repeat(40_000)}"\n`,
      },
      pathWithoutPython(),
    );
    const found = await parseFiles(environment, ["a.py", "b.py", "c.py", "d.py"], 10);
    expect([...found.values()]).toEqual([
      broken(1, /^SyntaxError: /),
      whole,
      whole,
      { state: "gone" },
    ]);
  });

  it("takes names of three languages", () => {
    const names = [
      "a.py",
      "a.js",
      "a.mts",
      "a.tsx",
      "a.d.ts",
      "a.pyc",
      "a.json",
      "py",
      "a.py.orig",
    ];
    expect(names.filter(isParsable)).toEqual(["a.py", "a.js", "a.mts", "a.tsx", "a.d.ts"]);
  });

  it("answers for every file, whatever stands in it", async () => {
    const { environment, folder } = await place({ "a.txt": "" });
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom("(", ":", "\n", "\t", "if x") }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (contents) => {
        const names = contents.map((_, index) => `${folder}/f${index}.${index % 2 ? "ts" : "py"}`);
        for (const [index, content] of contents.entries()) {
          const bytes = Buffer.from(content).toString("base64");
          await environment.execute(`echo '${bytes}' | base64 -d > ${names[index]}`, {
            timeoutSec: 20,
          });
        }
        const found = await parseFiles(environment, names, 10);
        expect([...found.keys()].sort()).toEqual(names);
        for (const { state } of found.values()) expect(state).toMatch(/^(?:whole|broken)$/);
      }),
      { numRuns: 6 },
    );
  });
});

/** The machine's programs, Python left out. */
function pathWithoutPython(): string {
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-bin-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of readdirSync("/usr/bin")) {
    if (!name.startsWith("python")) symlinkSync(join("/usr/bin", name), join(folder, name));
  }
  return folder;
}
