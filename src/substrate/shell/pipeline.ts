import type { FileRead, SegmentClass } from "./action.ts";
import type { Link } from "./exit-status.ts";
import type { Call, Meaning } from "./meaning.ts";
import { narrow, type Selection } from "./ranges.ts";
import { type Sunk, sink, sinksOf } from "./redirects.ts";
import { type Part, renderSegment } from "./render.ts";
import type { Redirect } from "./script.ts";
import { applyEffects, type Undecided } from "./segments.ts";
import type { Bindings } from "./words.ts";

/** One segment with what joins it to the others. */
export interface Draft extends Link, Part {
  readonly segment: Undecided;
  /** It belongs to a script or to `find -exec`: no part of the command line itself. */
  readonly derived: boolean;
  /** What it surely prints. */
  readonly prints: string | null;
  /** It prints lines of the one file that it reads, as they stand and in their order. */
  readonly passesLines: boolean;
}

/** A call as it stands in its pipeline. */
export interface Joined extends Link {
  readonly call: Call;
  readonly meaning: Meaning;
  readonly redirects: readonly Redirect[];
  readonly bindings: Bindings;
  /** What feeds it through a pipe, or null. */
  readonly upstream: Draft | null;
  readonly derived: boolean;
}

/** Decides a segment: where its output goes is part of what it is. Changes files on the ledger. */
export function draftOf(joined: Joined): Draft {
  const { call, meaning, redirects, bindings, upstream, derived } = joined;
  const sunk = outputOf(joined);
  const kind = isFilter(meaning, upstream) ? filterClass(sunk) : sunk.class;
  const prints = call.head === "tee" ? call.stdin : (meaning.prints ?? null);
  const segment = segmentOf(joined, sunk, kind);
  if (prints !== null) {
    for (const path of sunk.into) call.place.ledger.fill(path, prints, sunk.appends);
  }
  return {
    segment,
    connector: joined.connector,
    conditional: joined.conditional,
    derived,
    prints,
    passesLines: passesLines(call, meaning, upstream),
    role: roleOf(kind, meaning),
    text: renderSegment(
      { words: call.words, paths: meaning.paths, redirects },
      call.place,
      bindings,
    ),
  };
}

/** Test targets of one segment, and characters of a head or target. Our choice. */
const maxTargets = 200;
const maxText = 1000;

function segmentOf({ call, meaning }: Joined, sunk: Sunk, kind: SegmentClass): Undecided {
  const { ledger } = call.place;
  const changes = applyEffects(sunk.effects, ledger);
  for (const path of sunk.captured) ledger.write(path);
  return {
    ...changes,
    class: kind,
    head: (meaning.program ?? call.head).slice(0, maxText),
    captured: sunk.captured,
    unresolved: sunk.unresolved && (kind === "edit" || kind === "revert"),
    targets: (meaning.targets ?? []).slice(0, maxTargets).map((text) => text.slice(0, maxText)),
    script: meaning.script ?? null,
  };
}

/** What only prints, waits or sets up the shell is no action of its own. */
function roleOf(kind: SegmentClass, meaning: Meaning): Part["role"] {
  const isIdle = kind === "neutral" && meaning.class === "neutral" && meaning.paths.length === 0;
  if (!isIdle) return "shown";
  return meaning.prints === undefined ? "silent" : "prints";
}

/** `tee` sinks what comes before it, whose class decides; that it only caught output is neutral. */
function outputOf({ call, meaning, redirects, bindings, upstream }: Joined): Sunk {
  if (call.head !== "tee")
    return sink(meaning, sinksOf(redirects, call.place, bindings), call.place);
  const source = { class: upstream?.segment.class ?? "neutral", effects: [], unresolved: false };
  const sunk = sink(source, meaning.sinks ?? [], call.place);
  const isEdit = sunk.effects.length > 0 || sunk.unresolved;
  return isEdit ? sunk : { ...sunk, class: "neutral" };
}

/** An inspecting filter of a pipe looks at no file: it shows what came before. */
export function isFilter(meaning: Meaning, upstream: Draft | null): boolean {
  return meaning.class === "inspect" && upstream !== null && meaning.paths.length === 0;
}

function filterClass(sunk: Sunk): SegmentClass {
  return sunk.class === "inspect" ? "neutral" : sunk.class;
}

const faithful = new Set(["cat", "nl", "bat", "head", "tail", "sed", "awk", "less", "more"]);

/** Whether what this call prints are the lines of the one file that it reads. */
function passesLines(
  { head }: Call,
  { effects, selection }: Meaning,
  upstream: Draft | null,
): boolean {
  const selects = selection !== undefined || (head !== "sed" && head !== "awk");
  if (!faithful.has(head) || !selects) return false;
  return effects.length === 1 || (effects.length === 0 && upstream?.passesLines === true);
}

/** The drafts with the read that a filter of some of its lines ends narrowed to them. */
export function narrowUpstream(
  drafts: readonly Draft[],
  selection: Selection | undefined,
): readonly Draft[] {
  const at = drafts.findLastIndex((draft) => draft.segment.reads.length > 0);
  const draft = drafts[at];
  const isWhole = drafts.slice(at).every((later) => later.passesLines);
  if (!selection || !draft || !isWhole) return drafts;
  const reads = draft.segment.reads.map(
    ({ path, lines }): FileRead => ({ path, lines: narrow(lines, selection) }),
  );
  return drafts.with(at, { ...draft, segment: { ...draft.segment, reads } });
}
