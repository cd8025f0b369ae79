import { type Lexicon, numberOf } from "./lexicon.ts";

/** The weight of each word by number: rare words tell more. */
export type Weights = Float64Array;

/**
 * idf(t) = ln(1 + N / df(t)), with N nodes of which df hold t. Our choice of form: positive for
 * every df, without a smoothing constant.
 */
export function weightsOf({ frequency }: Lexicon, nodes: number): Weights {
  const weights = new Float64Array(frequency.length);
  for (const [number, count] of frequency.entries()) weights[number] = Math.log(1 + nodes / count);
  return weights;
}

/**
 * lex(v) = Σ idf over the anchor words that v holds / Σ idf over the anchor words that any node
 * holds; from 0 to 1, 0 when no node holds any.
 * @returns one score a term list, in order.
 */
export function lexicalScores(
  lexicon: Lexicon,
  weights: Weights,
  { words, terms }: { readonly words: readonly string[]; readonly terms: readonly Terms[] },
): readonly number[] {
  const numbers = words.flatMap((word) => numberOf(lexicon, word) ?? []);
  const whole = sumOf(weights, numbers);
  const asked = new Float64Array(weights.length);
  for (const number of numbers) asked[number] = weights[number] ?? 0;
  return terms.map((list) => (whole === 0 ? 0 : sumOf(asked, list) / whole));
}

type Terms = readonly number[];

/**
 * sim(u, v) = Σ idf over the words of both / Σ idf over the words of either (arXiv:2608.06811,
 * III-C: "IDF-weighted Jaccard overlap"); 0 when neither holds any.
 * @returns for a list of words, its similarity to each of `lists`, in order.
 */
export function similarityTo(
  weights: Weights,
  lists: readonly Terms[],
): (one: Terms) => Float64Array {
  const sums = lists.map((list) => sumOf(weights, list));
  const holders = holdersOf(lists, weights.length);
  return (one) => {
    const shared = new Float64Array(lists.length);
    for (const term of one) {
      const weight = weights[term] ?? 0;
      for (const index of holders[term] ?? []) shared[index] = (shared[index] ?? 0) + weight;
    }
    const own = sumOf(weights, one);
    return shared.map((both, index) => {
      const either = own + (sums[index] ?? 0) - both;
      return either === 0 ? 0 : both / either;
    });
  };
}

/** By word: the lists that hold it. */
function holdersOf(lists: readonly Terms[], words: number): readonly (readonly number[])[] {
  const holders: number[][] = new Array(words);
  for (const [index, list] of lists.entries()) {
    for (const term of list) {
      const known = holders[term];
      if (known === undefined) holders[term] = [index];
      else known.push(index);
    }
  }
  return holders;
}

function sumOf(weights: Weights, terms: Terms): number {
  let sum = 0;
  for (const term of terms) sum += weights[term] ?? 0;
  return sum;
}
