import type { ShellAction } from "../shell/action.ts";

/**
 * Commands whose place among the phases depends on what they are for. All patterns here are our
 * choice: they name habits that recorded runs of coding agents share, not one run.
 */

/** A print or a stop at the start of a statement, as agents put it in to look around. */
const probe = /(?<![\w.])(?:print|console\.log)\(|\bDEBUG:|\bbreakpoint\(\)|\bpdb\.set_trace\b/;
/** A sed script that inserts, appends, changes or substitutes lines. */
const sedWrites = /\bsed\b[^\n]*(?:[\d$/][iac](?:\\|\s)|s([/|#])(?:(?!\1).)*\1)/;
/** A sed script that only deletes lines. */
const sedDeletes = /(['"])(?:\/(?:(?!\1).)*\/|\d+(?:,\d+)?)d\1/g;
/** What a shell feeds to a program: a file that is written there holds prints of its own. */
const hereDocuments = /<<-?\s*(['"]?)(\w+)\1[^\n]*\n[\s\S]*?\n\2(?=\n|$)/g;
const probeScript = /\bDEBUG:/;
const probeScriptName = /debug[\w-]*\.(?:py|js|sh)$/i;

/** Whether an edit of source only puts prints in, to look around: it fixes nothing. */
export function putsProbeIn(command: string, { segments }: ShellAction): boolean {
  if (segments.some(({ script }) => script !== null && probeScriptName.test(script))) return true;
  const script = command.replace(hereDocuments, "").replace(sedDeletes, "");
  const bodies = (command.match(hereDocuments) ?? []).join("\n");
  return (sedWrites.test(script) && probe.test(script)) || probeScript.test(bodies);
}

/** Whether an edit takes such prints out again and does nothing else. */
export function takesProbeOut(command: string): boolean {
  const deletions = command.match(sedDeletes) ?? [];
  return (
    deletions.some((text) => /debug|print/i.test(text)) &&
    !sedWrites.test(command.replace(sedDeletes, ""))
  );
}

/** Whether a command asks which version of something is there. */
export function namesVersion({ normalized }: ShellAction): boolean {
  return /(?:^|\s)--version\b|__version__/.test(normalized ?? "");
}

/** Whether it asks which packages are there. */
export function namesPackages({ normalized }: ShellAction): boolean {
  return /\bpip\d? (?:show|list|freeze)\b/.test(normalized ?? "");
}

const testFolder = /(?:^|\/)(?:tests?|testing|__tests__|spec)\//;
const testName = /(?:^|\/)(?:test_[^/]*|[^/]*[_.-](?:test|spec)s?\.[^/.]+|conftest\.py)$/;

/** Whether a new file is a test that is meant to stay: named like one, in a folder of tests. */
export function isLastingTest(path: string): boolean {
  return !path.startsWith("/") && testFolder.test(path) && testName.test(path);
}
