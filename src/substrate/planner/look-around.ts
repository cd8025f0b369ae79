import type { ShellAction } from "../shell/action.ts";

/**
 * Commands whose place among the phases depends on what they are for. All patterns here are our
 * choice: they name habits that recorded runs of coding agents share, not one run.
 */

/** A print or a stop at the start of a statement, as agents put it in to look around. */
const probe = /(?<![\w.])(?:print|console\.log)\(|\bDEBUG:|\bbreakpoint\(\)|\bpdb\.set_trace\b/;
/** A sed script that only deletes lines. */
const deletion = /(['"])(?:\/(?:(?!\1).)*\/|\d+(?:,\d+)?)d\1/g;
/** The pattern of a substitution: what it takes away. */
const pattern = /(?<![A-Za-z_])s([/|#])(?:(?!\1).)*\1/g;
const probeScriptName = /debug[\w-]*\.(?:py|js|sh)$/i;

/** Whether an edit of source only puts prints in, to look around: it fixes nothing. */
export function putsProbeIn(command: string, { segments }: ShellAction): boolean {
  if (segments.some(({ script }) => script !== null && probeScriptName.test(script))) return true;
  const { seds, bodies } = partsOf(command);
  return seds.some((sed) => probe.test(sed.replace(pattern, " "))) || /\bDEBUG:/.test(bodies);
}

/** Whether an edit takes such prints out again and does nothing else. */
export function takesProbeOut(command: string): boolean {
  const deletions = command.match(deletion) ?? [];
  if (!deletions.some((text) => /debug|print/i.test(text))) return false;
  return partsOf(command).seds.every((sed) => !/['"]/.test(sed));
}

/** The sed commands of a text, deletions left out, and the here-documents, whose prints are their own. */
function partsOf(command: string): { readonly seds: readonly string[]; readonly bodies: string } {
  const script: string[] = [];
  const bodies: string[] = [];
  let terminator: string | null = null;
  for (const line of command.replaceAll("\\\n", " ").split("\n")) {
    if (line === terminator) terminator = null;
    else if (terminator !== null) bodies.push(line);
    else {
      script.push(line);
      terminator = /<<-?\s*['"]?(\w+)/.exec(line)?.[1] ?? null;
    }
  }
  const commands = script.flatMap((line) => line.split("&&"));
  const seds = commands.filter((text) => /\bsed\b/.test(text));
  return { seds: seds.map((sed) => sed.replace(deletion, "")), bodies: bodies.join("\n") };
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
