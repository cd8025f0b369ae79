/** Saturation and length normalisation, the usual values. */
const k1 = 1.5;
const b = 0.75;

/** Lower-case words of a text, with repetition. */
function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z_][a-z0-9_]+/g) ?? [];
}

/**
 * BM25 of each document for a query, with idf = ln(1 + (N − df + 0.5) / (df + 0.5)): what a plain
 * search engine would say.
 */
export function bm25(query: string, documents: readonly string[]): readonly number[] {
  const counts = documents.map((text) => countsOf(wordsOf(text)));
  const lengths = counts.map((words) => [...words.values()].reduce((sum, n) => sum + n, 0));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / documents.length;
  const asked = [...new Set(wordsOf(query))].map((word) => ({
    word,
    idf: idfOf(counts.filter((words) => words.has(word)).length, documents.length),
  }));
  return counts.map((words, index) => {
    const norm = k1 * (1 - b + (b * (lengths[index] ?? 0)) / mean);
    return asked.reduce((score, { word, idf }) => {
      const n = words.get(word) ?? 0;
      return score + (idf * n * (k1 + 1)) / (n + norm);
    }, 0);
  });
}

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function idfOf(holding: number, documents: number): number {
  return Math.log(1 + (documents - holding + 0.5) / (holding + 0.5));
}
