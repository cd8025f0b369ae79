import { listingOf, type ShellAction } from "../../../src/substrate/shell/action.ts";
import { noMemory, type ShellMemory } from "../../../src/substrate/shell/memory.ts";
import { understand } from "../../../src/substrate/shell/understand.ts";

export const root = "/testbed";

/** A small repository that most tables here speak of. */
export const listing = listingOf([
  "bin/test",
  "django/core/management/base.py",
  "django/db/models.py",
  "setup.py",
  "src/a.py",
  "src/b.py",
  "sympy/core/tests/test_basic.py",
  "tests/runtests.py",
  "tests/test_a.py",
]);

/** What one command means there, or in a repository whose files are not known. */
export function actionOf(command: string, known: "listed" | "unlisted" = "listed"): ShellAction {
  const context = { root, listing: known === "listed" ? listing : null };
  return understand(command, noMemory, context).action;
}

/** The actions of commands that follow each other without a listing, and what is remembered. */
export function episode(...commands: readonly string[]): {
  readonly actions: readonly ShellAction[];
  readonly memory: ShellMemory;
} {
  const actions: ShellAction[] = [];
  let memory = noMemory;
  for (const command of commands) {
    const next = understand(command, memory, { root, listing: null });
    actions.push(next.action);
    memory = next.memory;
  }
  return { actions, memory };
}

/** `class head` of each segment. */
export function classesOf({ segments }: Pick<ShellAction, "segments">): readonly string[] {
  return segments.map(({ class: kind, head }) => `${kind} ${head}`.trim());
}

/** A command with a here-document. */
export function heredoc(command: string, ...lines: readonly string[]): string {
  return [`${command} <<'EOF'`, ...lines, "EOF"].join("\n");
}
