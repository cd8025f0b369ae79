/** A node that the search may add. */
export interface Candidate {
  readonly id: number;
  readonly tokens: number;
  /** From 0 to 1. */
  readonly relevance: number;
  /** The greatest similarity to what is in the working set anyway. */
  readonly redundancy: number;
}

export interface BeamOptions {
  /** Tokens that the added nodes may have together. */
  readonly room: number;
  readonly lambda: number;
  readonly width: number;
  readonly maxNodes: number;
}

/** Nodes in the order of insertion, with the sum of their gains. */
export interface Selection {
  readonly order: readonly number[];
  readonly tokens: number;
  readonly gain: number;
}

/** A selection in the making; `picked` are indices of candidates. */
interface Draft extends Merit {
  readonly picked: readonly number[];
  /** By candidate: the greatest similarity to what is selected. */
  readonly redundancy: Float64Array;
}

/** A draft and one more candidate. */
interface Child extends Merit {
  readonly parent: Draft;
  readonly index: number;
}

interface Merit {
  readonly tokens: number;
  readonly gain: number;
  /** The gain in whole billionths, so that orders which tie on paper do not differ by rounding. */
  readonly billionths: number;
}

const nobody: Candidate = { id: -1, tokens: 0, relevance: 0, redundancy: 0 };
const noMerit: Merit = { tokens: 0, gain: 0, billionths: 0 };

/**
 * Beam search over marginal gains g(v|S) = λ·rel(v) − (1−λ)·max sim(v, u), u in S
 * (arXiv:2608.06811, III-C). Drafts of the same set are merged into the one with the higher gain;
 * the best `width` go on: by gain, then fewer tokens, then the smaller sequence of ids. A gain
 * counts only above zero. Width 1 is greedy MMR.
 * @param candidates ascending by id.
 * @param similarity of the candidate at an index to each candidate, by index.
 */
export function beamSearch(
  candidates: readonly Candidate[],
  similarity: (index: number) => Float64Array,
  options: BeamOptions,
): Selection {
  const redundancy = Float64Array.from(candidates, (candidate) => candidate.redundancy);
  let drafts: readonly Draft[] = [{ ...noMerit, picked: [], redundancy }];
  const finished: Draft[] = [];
  for (let depth = 0; depth < options.maxNodes && drafts.length > 0; depth++) {
    const families = drafts.map((draft) => childrenOf(draft, candidates, options));
    finished.push(...drafts.filter((_, index) => families[index]?.length === 0));
    drafts = best(families.flat(), options.width).map((child) =>
      grow(child, similarity(child.index)),
    );
  }
  const [answer] = [...finished, ...drafts].sort(
    (a, b) => byMerit(a, b) || bySequence(a.picked, b.picked),
  );
  return {
    order: answer?.picked.map((index) => candidates[index]?.id ?? -1) ?? [],
    tokens: answer?.tokens ?? 0,
    gain: answer?.gain ?? 0,
  };
}

/**
 * The parent's `width` best children, in order. More cannot survive: they are different sets, so
 * the first `width` of them alone fill the beam.
 */
function childrenOf(
  parent: Draft,
  candidates: readonly Candidate[],
  { room, lambda, width }: BeamOptions,
): readonly Child[] {
  const children: Child[] = [];
  for (let index = 0; index < candidates.length; index++) {
    const { tokens, relevance } = candidates[index] ?? nobody;
    const added = lambda * relevance - (1 - lambda) * (parent.redundancy[index] ?? 0);
    if (added <= 0 || billionthsOf(added) === 0 || parent.tokens + tokens > room) continue;
    const gain = parent.gain + added;
    const billionths = billionthsOf(gain);
    const worst = children[width - 1];
    if ((worst && billionths < worst.billionths) || parent.picked.includes(index)) continue;
    insert(children, { parent, index, tokens: parent.tokens + tokens, gain, billionths });
    if (children.length > width) children.pop();
  }
  return children;
}

function insert(children: Child[], child: Child): void {
  let place = children.length;
  while (place > 0 && inOrder(child, children[place - 1] ?? child) < 0) place--;
  children.splice(place, 0, child);
}

/** The best children, no two of the same set. */
function best(children: readonly Child[], width: number): readonly Child[] {
  const kept: Child[] = [];
  for (const child of [...children].sort(inOrder)) {
    if (kept.length === width) break;
    if (!kept.some((other) => isSameSet(child, other))) kept.push(child);
  }
  return kept;
}

function isSameSet(a: Child, b: Child): boolean {
  if (a.tokens !== b.tokens) return false;
  const others = pickedBy(b);
  return pickedBy(a).every((pick) => others.includes(pick));
}

function grow(child: Child, similar: Float64Array): Draft {
  const { parent, tokens, gain, billionths } = child;
  const redundancy = similar.slice();
  for (let index = 0; index < redundancy.length; index++) {
    redundancy[index] = Math.max(similar[index] ?? 0, parent.redundancy[index] ?? 0);
  }
  return { picked: pickedBy(child), tokens, gain, billionths, redundancy };
}

function pickedBy({ parent, index }: Child): number[] {
  return [...parent.picked, index];
}

function inOrder(a: Child, b: Child): number {
  return byMerit(a, b) || bySequence(pickedBy(a), pickedBy(b));
}

function byMerit(a: Merit, b: Merit): number {
  return b.billionths - a.billionths || a.tokens - b.tokens;
}

/** Indices ascend with ids. */
function bySequence(a: readonly number[], b: readonly number[]): number {
  const differing = a.findIndex((pick, place) => pick !== b[place]);
  return differing < 0 ? a.length - b.length : (a[differing] ?? 0) - (b[differing] ?? -1);
}

function billionthsOf(gain: number): number {
  return Math.round(gain * 1e9);
}
