/**
 * English function words, which carry no topic. Our choice: none is also a common name in code, so
 * `for`, `from`, `import`, `class` or `return` stay (their frequency makes them weigh little).
 */
const stopWords = new Set(
  (
    "about above after again all also although always and another any anyone anything are around " +
    "because been before being below between both but can cannot could did does doing done down " +
    "during each either else even ever every everything few further had has have having her here " +
    "hers herself him himself his how however into its itself just let like may maybe might mine " +
    "more most much must myself neither nor not nothing now off often once only other our ours out " +
    "over own perhaps rather really same shall she should since some someone something still such " +
    "than that the their theirs them then there therefore these they this those through thus too " +
    "under until upon very was well were what when where whether which while who whom whose why " +
    "will with within without would yet you your yours yourself"
  ).split(" "),
);

/** Longer words are hashes and encoded data, which nobody asks for (our choice). */
const longestTerm = 64;
const shortestTerm = 3;

/**
 * The words of a text, distinct, in order of appearance: lower-case identifiers and the parts of
 * camelCase and snake_case ones, from three characters on, without stop words and numbers.
 */
export function termsOf(text: string): readonly string[] {
  const terms = new Set<string>();
  for (const [word] of text.matchAll(/[A-Za-z_][A-Za-z0-9_]{2,}/g)) {
    if (word.length > longestTerm) continue;
    addTerm(terms, word);
    if (/[_A-Z]/.test(word.slice(1))) for (const part of partsOf(word)) addTerm(terms, part);
  }
  return [...terms];
}

/** The words that a path stands for: its base name without the extension, and that name's parts. */
export function stemTerms(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return termsOf(dot > 0 ? name.slice(0, dot) : name);
}

function addTerm(terms: Set<string>, word: string): void {
  const term = word.toLowerCase();
  if (term.length >= shortestTerm && !stopWords.has(term)) terms.add(term);
}

/** `parseHTTPHeader_line2` is parse, HTTP, Header, line. */
function partsOf(identifier: string): readonly string[] {
  return identifier.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
}
