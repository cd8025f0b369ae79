import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokensByGrammar } from "../../../src/substrate/shell/grammar.ts";
import { liftHeredocs } from "../../../src/substrate/shell/heredocs.ts";
import { tokensBySplit } from "../../../src/substrate/shell/split.ts";
import type { Token } from "../../../src/substrate/shell/tokens.ts";

function spelled(token: Token): string {
  if (token.type === "operator") return token.operator;
  if (token.type === "word") return token.raw;
  return `${token.descriptor ?? ""}${token.operator}${token.raw}`;
}

/** Tokens as one line, repeated and outer `;` left out: a newline may be one or none. */
function line(tokens: readonly Token[] | null): string | undefined {
  const told: string[] = [];
  for (const text of tokens?.map(spelled) ?? []) {
    if (text !== ";" || (told.length > 0 && told.at(-1) !== ";")) told.push(text);
  }
  if (told.at(-1) === ";") told.pop();
  return tokens ? told.join(" ") : undefined;
}

function byGrammar(command: string): string | undefined {
  const { text, plain } = liftHeredocs(command);
  return line(tokensByGrammar(text, plain));
}

function bySplit(command: string): string | undefined {
  const { text, plain } = liftHeredocs(command);
  return line(tokensBySplit(text, plain));
}

describe("tokens of a command", () => {
  it.each([
    ["ls -la", "ls -la"],
    ["a&&b||c|d&e;f\ng", "a && b || c | d & e ; f ; g"],
    ["a |& b 2>&1 >out 2>> err &>all", "a | b 2>&1 >out 2>>err &>all"],
    ["echo 'a;b' \"c|d $(e; f) `g|h`\" i\\;j", "echo 'a;b' \"c|d $(e; f) `g|h`\" i\\;j"],
    ["A=1 B='x y' cmd", "A=1 B='x y' cmd"],
    ["echo a # b; c\nd", "echo a ; d"],
    ["echo a#b", "echo a#b"],
    ["a=(b 'c d') e", "a=(b 'c d') e"],
    ["a \\\n  b\\\nc", "a bc"],
    ["(a; b) && { c; }", "( a ; b ) && { c ; }"],
    ["for f in a b; do c $f; done", "for f in a b ; do c $f ; done"],
    ["diff <(a | b) <(c)", "diff <(a | b) <(c)"],
    ["echo $((1 << 2)) \x24{a:-b}", "echo $((1 << 2)) \x24{a:-b}"],
    ["[[ a && b ]] && c", "[ && c"],
    ["touch src/$f$g.py", "touch src/$f$g.py"],
  ])("%s, by the grammar and by the split", (command, tokens) => {
    expect(byGrammar(command)).toBe(tokens);
    expect(bySplit(command)).toBe(tokens);
  });

  it("leaves out the patterns of a case and the name of a function", () => {
    const command = "case $x in a|b) c ;; *) d;; esac\nf() { e; }";
    expect(byGrammar(command)).toBe("case $x in c ; d ; esac ; { e ; }");
  });

  it("agrees between the two on whatever both understand", () => {
    const piece = fc.constantFrom(
      ...["ls", "cat", "a.py", "-n", "'x;y'", '"$z w"', "$(p | q)", "`s;t`", "\\;", "a=(b c)"],
      ...[
        "&&",
        "||",
        "|",
        "|&",
        "&",
        ";",
        "\n",
        "#",
        "\\\n",
        "; ! ls",
        "; [[ a && b ]]",
        "$f$g.py",
      ],
      ...["> o", ">>o", "2>&1", "&> o", "< i", "<<< i", "<<'E'\nb;c\nE\n", "<<-E\n\tb\n\tE\n"],
      ...["; for f in a b; do ls $f; done", "; if [[ a && b ]]; then c; else d; fi", "; (a; b)"],
      ...[
        "; while read x; do cat; done < i",
        "; { ls; } > o",
        "é",
        "~/x",
        "*.py",
        "x[1]",
        "y{a,b}",
      ],
      ...["export A=b", "B=c", "<(d; e)", "$((1 + 2))"],
    );
    const commands = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(" "));
    fc.assert(
      fc.property(commands, (command) => {
        const tokens = byGrammar(command);
        if (tokens !== undefined) expect(bySplit(command)).toBe(tokens);
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});

describe("here-documents", () => {
  it.each([
    ["cat <<EOF\nx\nEOF\nls", ["x\n"]],
    ["cat <<'E O'\nEOF\nE O", ["EOF\n"]],
    ["cat <<-E\n\tx\n\tE\nls", ["x\n"]],
    ["cat <<A <<B\na\nA\nb\nB", ["a\n", "b\n"]],
    ["cat <<\\E\n$x\nE", ["$x\n"]],
    ["cat <<E && ls\nrm -rf / && EOF\n E\nE", ["rm -rf / && EOF\n E\n"]],
    ["cat <<E\nunfinished", ["unfinished\n"]],
    ["cat <<E", [""]],
    ["cat <<E\nE", [""]],
    ["echo '<<A' \"<<B\" # <<C\n", []],
    ["echo $((1<<2)); ((x<<3))", []],
    ["cat <<< x", []],
    ['x="$(cat <<E\n)"\nE\n)"; ls', [')"\n']],
  ])("%j", (command, bodies) => {
    const { heredocs, text } = liftHeredocs(command);
    expect(heredocs.map(({ body }) => body)).toEqual(bodies);
    for (const { body } of heredocs) if (body.length > 2) expect(text).not.toContain(body);
  });
});
