/** Function words of four letters and more that issues are full of; they name nothing. */
const functionWords = new Set(
  (
    "about after also because been before being code could does doing each even ever example " +
    "expected following from have having here however instead into issue just like make many more " +
    "most much only other output over problem same should since some steps still such than that " +
    "their them then there these they this those through using very version want well were what " +
    "when where which while will with without work works would your"
  ).split(" "),
);

interface Word {
  readonly text: string;
  readonly isIdentifier: boolean;
  readonly count: number;
}

/**
 * The words that best name what an issue is about, lower case: identifiers first (with `_` or an
 * inner capital, or in backticks), then the more frequent, then the earlier. Our choice of order.
 */
export function issueWords(issue: string, limit: number): readonly string[] {
  const quoted = new Set([...issue.matchAll(/`([^`\n]+)`/g)].flatMap(([, code]) => wordsOf(code)));
  const words = new Map<string, Word>();
  for (const word of wordsOf(issue)) {
    const text = word.toLowerCase();
    const known = words.get(text);
    const isIdentifier =
      known?.isIdentifier === true || /_|[a-z0-9][A-Z]/.test(word) || quoted.has(word);
    words.set(text, { text, isIdentifier, count: (known?.count ?? 0) + 1 });
  }
  return [...words.values()]
    .filter(({ text }) => !functionWords.has(text))
    .sort((a, b) => Number(b.isIdentifier) - Number(a.isIdentifier) || b.count - a.count)
    .slice(0, limit)
    .map(({ text }) => text);
}

/** Words of four characters and more; the longest names are data, not names (our choice: 64). */
function wordsOf(text = ""): readonly string[] {
  return (text.match(/[A-Za-z_][A-Za-z0-9_]{3,}/g) ?? []).filter(({ length }) => length <= 64);
}
