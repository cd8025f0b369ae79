/** How a text becomes the terms that BM25 counts, with repetition, in order. */
export type Tokenize = (text: string) => readonly string[];

/** Lower-case runs of letters, digits and `_` (the public code of ExpeRepair, arXiv:2506.10484). */
export const words: Tokenize = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** Lower-case text between white space: RepoMem's ablation (arXiv:2510.01003). */
export const whitespace: Tokenize = (text) => text.toLowerCase().match(/\S+/g) ?? [];

/** Function words of English, which tell no code apart. Our choice: the shortest list that helps. */
const stopwords = new Set(
  (
    "a an the this that these those it its i we you he she they them my our your his her their " +
    "and or but nor so if then else than as at by for from in into of off on onto out over to up " +
    "with without is am are was were be been being do does did doing done has have had having " +
    "can could may might must shall should will would not no yes there here when where which who " +
    "whom whose what why how all any both each few more most other some such only own same too " +
    "very just also about after before again once because while during between through"
  ).split(" "),
);

/** A dotted name of identifiers, or a number. */
const names = /[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*|\p{N}+/gu;

/** Between a lower-case letter or digit and an upper-case one, and before the last of a row of them. */
const humps = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/**
 * Terms that know code: each name whole, then the parts between its dots, underscores and humps,
 * lower-case, without function words. The paper leaves its tokenizer open (arXiv:2510.01003); ours
 * needs no model, so that it costs nothing and always says the same.
 */
export const codeAware: Tokenize = (text) =>
  (text.match(names) ?? [])
    .flatMap((name) => [name, ...partsOf(name)])
    .map((term) => term.toLowerCase())
    .filter((term) => !stopwords.has(term));

function partsOf(name: string): readonly string[] {
  const dotted = name.split(".");
  if (dotted.length > 1) return dotted.flatMap((part) => [part, ...partsOf(part)]);
  const parts = name.split("_").flatMap((part) => part.split(humps));
  return parts.length > 1 ? parts.filter((part) => part !== "") : [];
}
