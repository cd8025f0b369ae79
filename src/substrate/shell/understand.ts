import type { FileLists, Segment, ShellAction, ShellContext } from "./action.ts";
import { decisive } from "./exit-status.ts";
import { Interpreter } from "./interpreter.ts";
import { Ledger, type ShellMemory } from "./memory.ts";
import { joinParts } from "./render.ts";
import { gather } from "./segments.ts";
import { quoteEditBlock } from "./session-editor.ts";

/**
 * What a command means: its segments, their classes and files, and one spelling of the action. A
 * fold: the memory that it returns is what the next command needs of this one. Never throws,
 * whatever the text; time is linear in its length.
 */
export function understand(
  command: string,
  memory: ShellMemory,
  context: ShellContext,
): { readonly action: ShellAction; readonly memory: ShellMemory } {
  const ledger = new Ledger(memory, context.listing);
  const interpreter = new Interpreter(context.root, ledger);
  interpreter.run(quoteEditBlock(command));
  const { drafts, scope } = interpreter;
  const own = drafts.filter((draft) => !draft.derived);
  const status = decisive(own, scope.options);
  const segments = drafts.map((draft): Segment => {
    const place = own.indexOf(draft);
    return { ...draft.segment, decisive: status[place] ?? false };
  });
  const files = lasting(gather(segments), ledger);
  const writes = union(files.edited, files.created);
  return {
    action: {
      ...files,
      normalized: joinParts(own),
      segments,
      writes,
      changed: union(writes, files.deleted, files.reverted, files.captured),
      mutating: segments.some(({ class: kind }) => kind === "edit" || kind === "revert"),
      lastHead: own.at(-1)?.segment.head ?? null,
    },
    memory: ledger.toMemory(),
  };
}

/** Without the files that the command itself made and took away again (`> f.tmp && mv f.tmp f`). */
function lasting(files: FileLists, ledger: Ledger): FileLists {
  const made = new Set([...files.created, ...files.captured]);
  const stays = (path: string): boolean => !(made.has(path) && ledger.isGone(path));
  return {
    ...files,
    edited: files.edited.filter(stays),
    created: files.created.filter(stays),
    deleted: files.deleted.filter(stays),
    captured: files.captured.filter(stays),
  };
}

function union(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())];
}
