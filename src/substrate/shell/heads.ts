import type { SegmentClass } from "./action.ts";
import { awk, editTool, formatter, lineEditor, perl, ruff, sed, tee } from "./editors.ts";
import {
  copy,
  dd,
  install,
  link,
  makeFolders,
  move,
  removeFiles,
  touch,
  truncate,
} from "./file-verbs.ts";
import { coverage, find, packageManager, print, printInput } from "./finders.ts";
import { git } from "./git.ts";
import { type Call, type Meaning, meaning, reads, shows } from "./meaning.ts";
import { parseOptions } from "./options.ts";
import { applyPatchTool, patch } from "./patch.ts";
import { countSelection } from "./ranges.ts";
import { node, otherRuntime, program, python, shell } from "./runtimes.ts";
import { createFile, editOpened, openFile } from "./session-editor.ts";
import { byVerb, isTestRunner, testRun, verbHeads } from "./test-runs.ts";

type Reader = (call: Call) => Meaning;

/** Reads the operands as files, `skip` of them first put aside (a pattern, a filter). */
const looks =
  (kind: SegmentClass, takes = "", skip: 0 | 1 = 0, unless = ""): Reader =>
  (call) => {
    const { flags, operands } = parseOptions(call.words, takes);
    const given = unless.split(" ").some((name) => flags.has(name));
    return reads(call, kind, operands.slice(given ? 0 : skip));
  };

const is =
  (kind: SegmentClass): Reader =>
  () =>
    meaning(kind);

/** `head` and `tail`: which lines they show. */
const ends: Reader = (call) => {
  const { operands } = parseOptions(call.words, "n c lines bytes s pid");
  const files = operands.filter(({ word }) => !/^\+\d+$/.test(word.text));
  return shows(call, files, countSelection(call.head, call.words));
};

const grepTakes =
  "A B C m e f d D g t T j include exclude exclude-dir exclude-from regexp file glob type max-count context";

/** The one table of what programs do: names, then how their calls are read. */
const table: readonly (readonly [names: string, reader: Reader])[] = [
  ["grep egrep fgrep zgrep rg ag ack", looks("inspect", grepTakes, 1, "e f regexp file")],
  ["ls dir vdir tree", looks("inspect", "I w T L P ignore")],
  ["cat", printInput],
  [
    "bat less more view tac rev stat file readlink realpath basename dirname du",
    looks("inspect", "c f"),
  ],
  ["nl", looks("inspect", "b d f h i l n s v w")],
  ["head tail", ends],
  [
    "wc sort uniq column od xxd hexdump strings md5sum sha1sum sha256sum",
    looks("inspect", "k t S o f s w c N j n A"),
  ],
  ["cut paste tr fold", looks("inspect", "d f b c w")],
  ["jq yq", looks("inspect", "f arg", 1)],
  ["locate fd fdfind", looks("inspect", "e t d", 1)],
  ["find", find],
  ["sed gsed", sed],
  ["awk gawk mawk", awk],
  ["perl", perl],
  ["ed ex vim vi nvim", lineEditor],
  ["tee", tee],
  ["cp", copy],
  ["ln", link],
  ["mv", move],
  ["install", install],
  ["rm unlink", removeFiles],
  ["touch", touch],
  ["truncate", truncate],
  ["dd", dd],
  ["mkdir", makeFolders],
  ["patch", patch],
  ["apply_patch applypatch", applyPatchTool],
  ["git", git],
  ["black isort autopep8 yapf 2to3 autoflake pyupgrade prettier", formatter],
  ["ruff", ruff],
  ["str_replace_editor str_replace_based_edit_tool edit_file", editTool],
  ["diff cmp colordiff", looks("review", "U C I x X")],
  ["pytest py.test unittest nosetests nose nose2 doctest tox nox trial ctest", testRun],
  ["jest vitest mocha ava rspec phpunit", testRun],
  [verbHeads.join(" "), byVerb],
  ["coverage", coverage],
  ["python python2 python3 pypy pypy3 ipython ipython3", python],
  ["node nodejs deno tsx ts-node", node],
  ["ruby php Rscript julia lua", otherRuntime],
  ["bash sh zsh dash ksh", shell],
  ["gdb strace ltrace pdb", is("execute")],
  ["pip pip3 conda mamba poetry uv apt apt-get apt-cache dpkg gem brew", packageManager],
  ["yum dnf apk chmod chown rmdir cmake ninja meson", is("setup")],
  ["pydoc man info json.tool", looks("inspect", "", 0)],
  ["echo printf", print],
  ["submit", is("submit")],
  ["open", openFile],
  ["create", createFile],
  ["edit insert", editOpened],
  ["goto scroll_up scroll_down search_file search_dir find_file set_cursors", is("inspect")],
  ["repomem", is("inspect")],
  [
    "cd pushd popd set unset export declare local readonly typeset source . true false :",
    is("neutral"),
  ],
  [
    "pwd date which type hash sleep wait clear exit return test [ [[ read trap ulimit",
    is("neutral"),
  ],
  ["alias unalias umask shift break continue env printenv command whoami uname id", is("neutral")],
  ["hostname nproc yes seq kill pkill jobs history shopt let", is("neutral")],
];

const readers: ReadonlyMap<string, Reader> = new Map(
  table.flatMap(([names, reader]) => names.split(" ").map((name) => [name, reader] as const)),
);

/** Programs that stand for one another in a row: `python -m coverage run -m …`. Our choice. */
const maxRedirects = 4;

/** Reads a call by its head; never throws. */
export function readCall(call: Call, redirects = 0): Meaning {
  const written = call.words[0]?.text ?? "";
  if (isTestRunner(written, call.words[1]?.text ?? "")) return readRunner(call);
  const name = /^(?:python|pypy)\d[\d.]*$/.test(call.head) ? "python" : call.head;
  const reader = readers.get(name);
  if (reader) return redirected(call, reader(call), redirects);
  if (written.startsWith("((")) return meaning("neutral");
  return written.includes("/") || /\.(?:py|sh|js)$/.test(written)
    ? program(call)
    : meaning("other");
}

/** A runner called by its path: the path is a word to spell relative to the root. */
function readRunner(call: Call): Meaning {
  const run = testRun(call);
  return { ...run, paths: [0, ...run.paths] };
}

/** Follows a call that is really another program's (`python -m pytest`). */
function redirected(call: Call, result: Meaning, redirects: number): Meaning {
  if (!result.instead || redirects >= maxRedirects) return result;
  const { words, shift } = result.instead;
  const program = words[0]?.text ?? "";
  const inner = readCall({ ...call, words, head: program }, redirects + 1);
  return { program, ...inner, paths: inner.paths.map((index) => index + shift) };
}
