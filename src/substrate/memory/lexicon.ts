/**
 * The words of an episode, or its files, numbered in order of appearance, with the number of nodes
 * that hold each. Plain arrays, so that a step copies memory blocks instead of a large record:
 * `slots` is an open-addressing hash table over `words` (entry = number + 1, 0 = free), at most
 * half full.
 */
export interface Lexicon {
  readonly words: readonly string[];
  readonly slots: readonly number[];
  /** Nodes that hold the word, by number. */
  readonly frequency: readonly number[];
}

export const emptyLexicon: Lexicon = {
  words: [],
  slots: new Array<number>(64).fill(0),
  frequency: [],
};

/** The number of a word; null when no node holds it. */
export function numberOf({ words, slots }: Lexicon, word: string): number | null {
  const entry = slots[slotOf(words, slots, word)] ?? 0;
  return entry === 0 ? null : entry - 1;
}

/** Counts one node's distinct words; `numbers` are theirs, in the given order. */
export function enter(
  lexicon: Lexicon,
  terms: readonly string[],
): { readonly lexicon: Lexicon; readonly numbers: readonly number[] } {
  const words = lexicon.words.slice();
  const frequency = lexicon.frequency.slice();
  const slots = withRoom(words, lexicon.slots, words.length + terms.length);
  const numbers = terms.map((term) => {
    const slot = slotOf(words, slots, term);
    const known = slots[slot] ?? 0;
    if (known === 0) slots[slot] = words.push(term);
    const number = known === 0 ? words.length - 1 : known - 1;
    frequency[number] = (frequency[number] ?? 0) + 1;
    return number;
  });
  return { lexicon: { words, slots, frequency }, numbers };
}

/** A copy of the table with room for `count` words. */
function withRoom(words: readonly string[], slots: readonly number[], count: number): number[] {
  let size = slots.length;
  while (size < count * 2) size *= 2;
  if (size === slots.length) return slots.slice();
  const grown = new Array<number>(size).fill(0);
  for (const [number, word] of words.entries()) grown[slotOf(words, grown, word)] = number + 1;
  return grown;
}

/** Where the word stands in the table, or the free slot where it would. */
function slotOf(words: readonly string[], slots: readonly number[], word: string): number {
  const mask = slots.length - 1;
  let slot = hash(word) & mask;
  for (let entry = slots[slot] ?? 0; entry !== 0; entry = slots[slot] ?? 0) {
    if (words[entry - 1] === word) return slot;
    slot = (slot + 1) & mask;
  }
  return slot;
}

/** FNV-1a over UTF-16 units, 32 bits. */
function hash(word: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < word.length; index++) {
    value = Math.imul(value ^ word.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
