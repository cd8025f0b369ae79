import { type Call, changes, type Effect, type Meaning, meaning, reads } from "./meaning.ts";
import { parseOptions } from "./options.ts";

/**
 * SWE-agent's file viewer as commands: `open F [LINE]` and `create F` choose the file that `edit`
 * and `insert` change later.
 */
export function openFile(call: Call): Meaning {
  const [file] = parseOptions(call.words, "").operands;
  const read = reads(call, "inspect", file ? [file] : []);
  const opened = read.effects[0]?.path;
  return opened === undefined ? read : { ...read, opens: opened };
}

export function createFile(call: Call): Meaning {
  const [file] = parseOptions(call.words, "").operands;
  const write = (path: string): Effect => ({ kind: "write", path });
  const made = changes(call, file ? [file] : [], write);
  const opened = made.effects[0]?.path;
  return opened === undefined ? made : { ...made, opens: opened };
}

export function editOpened({ place }: Call): Meaning {
  const { opened } = place.ledger;
  if (opened === null) return meaning("edit", { unresolved: true });
  return meaning("edit", { effects: [{ kind: "edit", path: opened }] });
}

const editBlock =
  /^(\s*(?:edit \d+:\d+|insert \d+))[ \t]*\n([\s\S]*?\n)?(end_of_(?:edit|insert))\s*$/;

/** `edit 1:5`, lines and `end_of_edit`: the lines are data, so they become a here-document. */
export function quoteEditBlock(command: string): string {
  return command.replace(editBlock, "$1 <<'$3'\n$2$3");
}
