import { describe, expect, it } from "vitest";
import { importsIn, stemOf } from "../../../src/substrate/memory/imports.ts";
import { pythonImports } from "../../../src/substrate/memory/python-imports.ts";
import { scriptImports } from "../../../src/substrate/memory/script-imports.ts";

const numbered = (lines: readonly string[]) =>
  lines.map((line, index) => `${String(index + 120).padStart(6)}\t${line}`).join("\n");

describe("pythonImports", () => {
  it.each([
    ["import a.b.c as d, e", ["a.b.c", "a.b", "e"]],
    ["from a.b import (\n    c,\n    d as e,\n)", ["a.b", "a.b.c", "a.b.d"]],
    ["from . import m", [".", ".m"]],
    ["from ..k import *", ["..k"]],
    ['"""\nfrom x import y\n"""', []],
    ["def f():\n    import late", ["late"]],
  ])("%j", (source, modules) => {
    expect(pythonImports(source)).toEqual(modules);
  });

  it("falls back to lines where an excerpt does not parse", () => {
    const excerpt = ["    ), default)", "from a.b import c, d", "  import q.r", "def f(:"].join(
      "\n",
    );
    expect(pythonImports(excerpt)).toEqual(expect.arrayContaining(["a.b.c", "a.b.d", "q.r"]));
  });

  it.each(["def foo():\nfoo()\nimport a\n", "if True:\nimport a\n", "print 'a'\nimport a\n"])(
    "reads %j, which no Python 3 compiles: the tree is no syntax check",
    (source) => {
      expect(pythonImports(source)).toEqual(["a"]);
    },
  );

  it("survives nesting that no program has", () => {
    expect(pythonImports(`${"(".repeat(20_000)}\nimport a`)).toEqual(["a"]);
  });
});

describe("scriptImports", () => {
  it.each([
    ["import a, { b } from './a.js';\nimport type { T } from \"../t.ts\";", ["./a.js", "../t.ts"]],
    ["export * from './x';\nexport { y } from './y';\nexport const z = 1;", ["./x", "./y"]],
    ["const a = require('./a');\nconst b = await import('./b');", ["./a", "./b"]],
    ["import './side-effect';\nconst view = <div title='x'>hi</div>;", ["./side-effect"]],
  ])("%j", (source, specifiers) => {
    expect(scriptImports(source)).toEqual(specifiers);
  });

  it("falls back to lines where an excerpt does not parse", () => {
    const excerpt = "  }\n});\nimport { a,\n  b } from './ab.js';\nexport default class {";
    expect(scriptImports(excerpt)).toEqual(["./ab.js"]);
  });
});

describe("importsIn", () => {
  it("reads a numbered excerpt of one file", () => {
    const output = numbered([
      "from django.core.base import X",
      "from .utils import y",
      "",
      "class A:",
    ]);
    expect(importsIn(output, "django/db/migrate.py")).toEqual([
      {
        file: "django/db/migrate.py",
        stems: ["django/core/base", "django/core/base/X", "django/db/utils", "django/db/utils/y"],
      },
    ]);
  });

  it("finds packages under the folder that the importing file lies in", () => {
    const [found] = importsIn("import matplotlib.axes", "lib/matplotlib/figure.py");
    expect(found?.stems).toEqual([
      "matplotlib/axes",
      "lib/matplotlib/axes",
      "matplotlib",
      "lib/matplotlib",
    ]);
  });

  it("gives each line of a search to its own file", () => {
    const output =
      "./a/x.py:1:from a import y\nb/z.ts:import { q } from '../c/q.js';\nREADME.md:3:import this";
    expect(importsIn(output, null)).toEqual([
      { file: "a/x.py", stems: ["a", "a/y"] },
      { file: "b/z.ts", stems: ["c/q"] },
    ]);
  });

  it.each([
    ["several files shown at once", "import os", null],
    ["a file that imports nothing", "x = 1", "a.py"],
    ["a file in no known language", "import os", "a.rst"],
    ["binary output", "\u0000\u0001\uFFFDimport \uD800", "a.py"],
    ["a climb above the root", "from ...x import y", "a.py"],
  ])("finds nothing in %s", (_, output, shown) => {
    expect(importsIn(output, shown)).toEqual([]);
  });
});

describe("stemOf", () => {
  it.each([
    ["a/b.py", "a/b"],
    ["a/b/__init__.py", "a/b"],
    ["__init__.py", ""],
    ["src/index.ts", "src"],
    ["src/view.test.tsx", "src/view.test"],
    ["README.md", null],
  ])("%s is %s", (file, stem) => {
    expect(stemOf(file)).toBe(stem);
  });
});
