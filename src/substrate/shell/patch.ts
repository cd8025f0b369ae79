import { type Call, type Effect, locate, type Meaning, meaning, reads, within } from "./meaning.ts";
import { type Options, parseOptions } from "./options.ts";
import { resolvePath } from "./paths.ts";
import { literalWord, type Word } from "./words.ts";

const noFile = "/dev/null";

/**
 * What applying a patch text does: unified diffs (`--- a/F`, `+++ b/F`, renames) and the
 * `*** Update File: F` form. Paths in it are relative to `cwd`.
 */
function patchEffects(call: Call, body: string): readonly Effect[] {
  const effects: Effect[] = [];
  const { root, cwd } = call.place;
  const add = (kind: "edit" | "write" | "delete", raw: string): void => {
    const path = resolvePath(root, cwd, raw);
    if (path !== null && effects.length < maxPatchFiles) effects.push({ kind, path });
  };
  for (const [, before = "", after, marker = "", rest = ""] of body.matchAll(header)) {
    const [old, path] = [headerPath(before), headerPath(after ?? "")];
    if (after === undefined) add(kindOfMarker[marker] ?? "write", rest.trim());
    else if (path === noFile) add("delete", old);
    else add(old === noFile ? "write" : "edit", path);
  }
  return effects;
}

const maxPatchFiles = 200;

/** Both lines of a file header at once: a removed line may itself start with `--`. */
const header =
  /^--- (.*)\r?\n\+\+\+ (.*)$|^(rename from |rename to |\*\*\* (?:Update|Add|Delete) File: |\*\*\* Move to: )(.*)$/gm;

const kindOfMarker: Readonly<Record<string, "edit" | "write" | "delete">> = {
  "rename from ": "delete",
  "*** Delete File: ": "delete",
  "*** Update File: ": "edit",
};

/** A header's path without its time stamp, quotes and the `a/` or `b/` that git puts before it. */
function headerPath(text: string): string {
  const path =
    text
      .split("\t")[0]
      ?.trim()
      .replace(/^"(.*)"$/, "$1") ?? "";
  return path === noFile ? path : path.replace(/^[ab]\//, "");
}

/** The patch text of a call: what stands in its input, else in the file that it names, if known. */
function bodyOf(call: Call, file: Word | undefined): string | null {
  const path = file ? locate(call.place, file).paths[0] : undefined;
  if (path !== undefined && file?.text !== "-") return call.place.ledger.body(path);
  return call.stdin;
}

function applied(call: Call, body: string | null, isReverse: boolean): Meaning {
  const effects = body === null ? [] : patchEffects(call, body);
  const unresolved = effects.length === 0;
  if (!isReverse) return meaning("edit", { effects, unresolved });
  const reverts = effects.map(({ path }): Effect => ({ kind: "revert", path }));
  return meaning("revert", { effects: reverts, unresolved });
}

/** `git apply` and `git am`. */
export function applyPatch(call: Call, { flags, operands }: Options): Meaning {
  if (["check", "stat", "numstat", "summary"].some((name) => flags.has(name))) {
    return reads(call, "review", operands);
  }
  const paths = operands.map(({ index }) => index);
  const isReverse = flags.has("R") || flags.has("reverse");
  return { ...applied(call, bodyOf(call, operands[0]?.word), isReverse), paths };
}

/** `patch [-pN] [-i F] [ORIGINAL [PATCH]]`. */
export function patch(call: Call): Meaning {
  const { flags, operands } = parseOptions(
    call.words,
    "p d F i o r B z V D g Y input strip directory",
  );
  if (flags.has("dry-run")) return reads(call, "review", operands);
  const isReverse = flags.has("R") || flags.has("reverse");
  const paths = operands.map(({ index }) => index);
  const [original, diff] = operands;
  const input = (flags.get("i") ?? flags.get("input"))?.at(-1) ?? diff?.word;
  const folder = (flags.get("d") ?? flags.get("directory"))?.at(-1);
  const inFolder = { ...call, place: within(call.place, folder) };
  if (!original) return { ...applied(inFolder, bodyOf(call, input), isReverse), paths };
  const named = locate(inFolder.place, original.word).paths;
  const kind = isReverse ? "revert" : "edit";
  const effects = named.map((path): Effect => ({ kind, path }));
  return meaning(kind, { effects, paths, unresolved: named.length === 0 });
}

/** `apply_patch`, the tool-style command: the body is its input or its argument. */
export function applyPatchTool(call: Call): Meaning {
  const argument = call.words.slice(1).find((word) => word.text.includes("*** "));
  return applied(call, (argument ?? literalWord(call.stdin ?? "")).text, false);
}
