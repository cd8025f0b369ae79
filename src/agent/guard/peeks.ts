import type { EpisodeEvent } from "../../domain/episode.ts";
import type { Peek } from "../../domain/peek.ts";
import { callsOf, type PlainCall } from "../../substrate/shell/calls.ts";
import { gitPeek, type IsShown } from "./git-peeks.ts";
import { networkPeek } from "./network-peeks.ts";

/** Peeks of one run that are kept, and characters of a command. Our choice. */
const maxPeeks = 200;
const maxCommand = 400;

/**
 * The commands of an episode that looked at the future of its base, or fetched upstream code: a
 * solution that was looked up proves nothing. From the texts alone, so what a command tried counts
 * as what it did, and what a script of the model's own does stays unseen. Plain names of branches
 * and tags pass: the text does not tell which of them are newer. A commit is suspect when neither
 * the issue nor an earlier look at the history of HEAD had named it.
 */
export function peeksIn(events: readonly EpisodeEvent[]): readonly Peek[] {
  const found: Peek[] = [];
  const shown = new Shown();
  let project: string | null = null;
  let newest: readonly PlainCall[] = [];
  for (const event of events) {
    if (event.type === "begin") {
      project = projectOf(event.instanceId);
      shown.see(`${event.base.commit ?? ""} ${event.task}`);
    }
    if (event.type === "command") {
      newest = callsOf(event.command);
      const { step, command } = event;
      const reasons = reasonsFor(newest, project, shown.has);
      found.push(...reasons.map((reason) => ({ step, command: cut(command), reason })));
      if (reasons.length > 0) newest = [];
    }
    if (event.type === "observation" && newest.some(showsOwnHistory)) shown.see(event.output);
  }
  return found.slice(0, maxPeeks);
}

const cut = (text: string) => (text.length <= maxCommand ? text : `${text.slice(0, maxCommand)}…`);

function reasonsFor(
  calls: readonly PlainCall[],
  project: string | null,
  isShown: IsShown,
): readonly string[] {
  return [...new Set(calls.flatMap((call) => reasonFor(call, project, isShown) ?? []))];
}

function reasonFor(call: PlainCall, project: string | null, isShown: IsShown): string | null {
  const [head = "", ...args] = call.words;
  if (head === "git") return gitPeek(call.words, isShown);
  const file = pagers.has(head) ? args.find((arg) => gitFile.test(arg)) : undefined;
  return file === undefined ? networkPeek(call, project) : `reads git's own record: ${file}`;
}

const pagers = new Set(
  "cat less more head tail grep sed awk strings xxd od tac nl cut sort".split(" "),
);
const gitFile = /(?:^|\/)\.git\/(?:packed-refs|FETCH_HEAD|ORIG_HEAD|logs|refs\/(?:remotes|tags))/;

/** The repository's name in the id of an instance (`owner__name-number`); null: not told. */
function projectOf(instanceId: string | null): string | null {
  return /^[^/]+?__(.+)-\d+$/.exec(instanceId ?? "")?.[1] ?? null;
}

const historyVerbs = new Set(
  "log show blame rev-list rev-parse commit status merge-base".split(" "),
);

function showsOwnHistory({ words }: PlainCall): boolean {
  return words[0] === "git" && words.some((word) => historyVerbs.has(word));
}

/** Commits that the model has been shown, by the first seven digits. */
class Shown {
  readonly #commits = new Set<string>();

  see(text: string): void {
    for (const [commit] of text.matchAll(/\b[0-9a-f]{7,64}\b/g))
      this.#commits.add(commit.slice(0, 7));
  }

  readonly has: IsShown = (commit) => this.#commits.has(commit.slice(0, 7));
}
