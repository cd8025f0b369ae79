import type { SegmentClass } from "./action.ts";
import { type Effect, locate, type Meaning, type Place, type Sink } from "./meaning.ts";
import { isExternal } from "./paths.ts";
import type { Redirect } from "./script.ts";
import { type Bindings, expandWord } from "./words.ts";

/** The files that output is redirected to; standard error's count inside the repository only. */
export function sinksOf(
  redirects: readonly Redirect[],
  place: Place,
  bindings: Bindings,
): readonly Sink[] {
  return redirects.flatMap(({ descriptor, operator, raw }) => {
    if (!/^(?:&?>>?|>\||>&)$/.test(operator)) return [];
    const word = expandWord(raw, bindings);
    if (/^(?:\d+|-)$/.test(word.text) && operator === ">&") return [];
    if (/^\/dev\//.test(word.text)) return [];
    const isOutside = locate(place, word).paths.every(isExternal);
    return descriptor === 2 && isOutside ? [] : [{ word, appends: operator.endsWith(">>") }];
  });
}

/** A meaning after its output went to files. */
export interface Sunk {
  readonly class: SegmentClass;
  readonly effects: readonly Effect[];
  readonly unresolved: boolean;
  readonly captured: readonly string[];
  /** Every file that the output went into, at its end or in place of what it held. */
  readonly into: readonly string[];
  readonly appends: boolean;
}

/** Classes whose output only records what they found. */
const captures: ReadonlySet<SegmentClass> = new Set([
  "inspect",
  "history",
  "review",
  "test",
  "setup",
  "execute",
  "edit",
  "revert",
  "other",
]);

/**
 * Output into a scratch file leaves the class of a program that finds something as it is; into a
 * source file it makes any segment an edit of that file. What merely prints text is always an edit.
 */
export function sink(
  source: Pick<Meaning, "class" | "effects" | "unresolved">,
  sinks: readonly Sink[],
  place: Place,
): Sunk {
  const located = sinks.map(({ word, appends }) => ({ ...locate(place, word), appends }));
  const targets = located.flatMap(({ paths, appends }) =>
    paths.map((path): Effect => ({ kind: appends ? "edit" : "write", path })),
  );
  const into = targets.map(({ path }) => path);
  const appends = sinks.some((file) => file.appends);
  const isCaptured =
    captures.has(source.class) && into.every((path) => place.ledger.isScratch(path));
  if (sinks.length === 0 || isCaptured) {
    const { class: kind, effects, unresolved } = source;
    return { class: kind, effects, unresolved, captured: into, into, appends };
  }
  const unresolved = located.some(({ open }) => open);
  return { class: "edit", effects: targets, unresolved, captured: [], into, appends };
}
