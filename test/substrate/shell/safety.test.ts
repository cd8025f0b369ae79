import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noMemory, type ShellMemory } from "../../../src/substrate/shell/memory.ts";
import { understand } from "../../../src/substrate/shell/understand.ts";
import { heredoc, listing, root } from "./repository.ts";

const context = { root, listing: null };

const deep = 20_000;
const monsters: Readonly<Record<string, string>> = {
  parentheses: "(".repeat(deep),
  "closed parentheses": `${"(".repeat(deep)}a${")".repeat(deep)}`,
  substitutions: "$(".repeat(deep),
  "closed substitutions": `${"$(".repeat(deep)}a${")".repeat(deep)}`,
  "quoted substitutions": '"$('.repeat(deep),
  braces: "{ ".repeat(deep),
  brackets: "[".repeat(deep),
  parameters: `${"$".repeat(1)}{a:-`.repeat(deep),
  backquotes: "`".repeat(deep),
  arithmetic: "$((".repeat(deep),
  "process substitutions": "<(".repeat(deep),
  ifs: "if a; then ".repeat(deep),
  cases: "case a in b) ".repeat(deep),
  functions: "f() { ".repeat(deep),
  loops: "for a in b; ".repeat(deep),
  tests: "[[ a && (".repeat(deep),
  redirects: ">".repeat(8000),
  inputs: "<".repeat(8000),
  "endless pipeline": "a | ".repeat(2000),
  "long pipeline": "a | ".repeat(deep),
  quotes: "'\"".repeat(deep),
  backslashes: "\\".repeat(deep + 1),
  evals: "eval ".repeat(deep),
  wrappers: "sudo ".repeat(deep),
  "programs that start one another": `python ${"-m coverage run ".repeat(deep)}`,
  "1 MB delimiter": `cat <<${"E".repeat(1 << 20)}\nx`,
  "1 MB of escapes": `cat $'${"\\t".repeat(1 << 19)}'`,
  "1 MB of backslashed words": `cat ${"\\a".repeat(1 << 19)}`,
  "1 MB of literals": heredoc("python -", "open('a'+".repeat((1 << 20) / 9)),
  "1 MB of options": `sed -${"n".repeat(1 << 20)} f`,
  "find calls": `find . ${"-exec rm {} \\; ".repeat(deep)}`,
  heredocs: `cat ${"<<A ".repeat(2000)}\n${"x\nA\n".repeat(2000)}`,
  "long delimiter": `cat <<${"E".repeat(5000)}\nx\n${"E".repeat(5000)}`,
  "1 MB word": "a".repeat(1 << 20),
  "1 MB of words": "rm a ".repeat((1 << 20) / 5),
  "1 MB quoted": `python -c '${"open(".repeat((1 << 20) / 5)}'`,
  "1 MB here-document": `cat > f <<E\n${"line\n".repeat((1 << 20) / 5)}E`,
  "1 MB of lines": "\n".repeat(1 << 20),
  "1 MB of brackets": "(".repeat(1 << 20),
  "names that double": `a=x;${"a=$a$a;".repeat(60)}cat > $a`,
  "stars in a glob": `touch ${"a".repeat(150)}; rm ${"*a".repeat(95)}b`,
  "sed ranges": `sed -n '${"1,2p;".repeat(deep)}' f`,
  "patch headers": `git apply <<E\n${"--- a/x\n+++ b/x\n".repeat(deep)}E`,
  "definitions in circles": `python - <<E\n${"a=b\nb=a\n".repeat(2000)}open(a,'w')\nE`,
  "lone surrogates": "cat \ud800 > \udc00\ud83d",
  nul: "cat a\0b > c\0; \0",
  "private use": "cat <\ue0000 <<\ue000\nx\n\ue000",
};

describe("any input", () => {
  it.each(Object.keys(monsters))(
    "survives %s, with an action and a memory of bounded size",
    (name) => {
      const { action, memory } = understand(monsters[name] ?? "", noMemory, context);
      expect(JSON.stringify(action).length).toBeLessThan(200_000);
      expect(JSON.stringify(memory).length).toBeLessThan(200_000);
    },
  );

  it("reads commands among a monster", () => {
    const { action } = understand(
      `${"x ".repeat(10_000)}; sed -i s/a/b/ src/a.py`,
      noMemory,
      context,
    );
    expect(action.edited).toEqual(["src/a.py"]);
  });
});

const word = fc.constantFrom(
  ..."ls cat sed -i -n 10,20p s/a/b/ src/a.py b.py git apply checkout -- . stash pop rm cp mv python bash -c fix.py fix.sh xargs find -exec {} + env A=1 timeout 5 echo tee cd .. for f in do done if then fi $f \"$f c\" 'q;r' $(x) `y` *.py {a,b} ( ) { } [[ ]] ! case esac".split(
    " ",
  ),
);
const joint = fc.constantFrom(
  " ",
  " ",
  " ",
  "\n",
  " && ",
  "; ",
  " | ",
  " || ",
  " > ",
  " >> ",
  " 2>&1 ",
  " < ",
  " <<E\nopen('src/a.py','w')\nE\n",
  "\\\n",
  "#",
  "'",
  '"',
);
const command = fc
  .array(fc.tuple(word, joint), { maxLength: 20 })
  .map((parts) => parts.flat().join(""));
const text = fc.oneof(
  command,
  command,
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
);

/** The fold over some commands: every action, and the memory at the end. */
function fold(
  commands: readonly string[],
  carry: (memory: ShellMemory) => ShellMemory,
  known = false,
) {
  let memory = noMemory;
  const actions = commands.map((next) => {
    const result = understand(next, memory, { root, listing: known ? listing : null });
    memory = carry(result.memory);
    return result.action;
  });
  return { actions, memory };
}

describe("any sequence of commands", () => {
  const commands = fc.array(text, { maxLength: 6 });

  it("is understood without an error, and the same each time", () => {
    fc.assert(
      fc.property(commands, fc.boolean(), (list, known) => {
        const keep = (memory: ShellMemory) => memory;
        expect(fold(list, keep, known)).toEqual(fold(list, keep, known));
      }),
      { numRuns: 200 },
    );
  });

  it("goes on the same from a memory that was stored and read back", () => {
    fc.assert(
      fc.property(commands, (list) => {
        const stored = fold(list, (memory) => JSON.parse(JSON.stringify(memory)));
        expect(stored).toEqual(fold(list, (memory) => memory));
      }),
      { numRuns: 200 },
    );
  });

  it("keeps its lists apart: what is source is changed, and what is edited was not created", () => {
    fc.assert(
      fc.property(command, (next) => {
        const { action } = understand(next, noMemory, context);
        for (const { source, edited, created, deleted } of action.segments) {
          for (const path of source) expect([...edited, ...created, ...deleted]).toContain(path);
        }
        expect(new Set(action.changed).size).toBe(action.changed.length);
        for (const path of action.writes) expect(action.changed).toContain(path);
      }),
      { numRuns: 200 },
    );
  });
});

describe("the action string of a plain command", () => {
  it("is its own normal form", () => {
    const plain = fc.constantFrom(
      "ls",
      "cat",
      "src/a.py",
      "./b.py",
      "-n",
      "a b",
      "it's",
      'say "x"',
      "a\\b",
      "*",
      "é",
      "",
    );
    const quoted = plain.map((part) => `'${part.replaceAll("'", "'\\''")}'`);
    const simple = fc
      .array(quoted, { minLength: 1, maxLength: 5 })
      .map((parts) => `grep x ${parts.join(" ")}`);
    const chain = fc.array(fc.tuple(simple, fc.constantFrom(" && ", "; ", " | ", " || ")), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(chain, (parts) => {
        const line = parts.flat().slice(0, -1).join("");
        const { normalized } = understand(line, noMemory, context).action;
        expect(understand(normalized ?? "", noMemory, context).action.normalized).toBe(normalized);
      }),
      { numRuns: 200 },
    );
  });
});
