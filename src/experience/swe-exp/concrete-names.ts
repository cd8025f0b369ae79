/** A name that belongs to one code base: a file's, or an identifier with `_` or with humps. */
const candidate =
  /[\p{L}\p{N}_./-]*[\p{L}\p{N}_-]\.(?:py|pyx|js|jsx|ts|tsx|mjs|cjs|java|go|rs|rb|c|cc|cpp|h|hpp|cs|php|cfg|toml|ini|ya?ml|json|rst|md|txt)\b|[\p{L}_$][\p{L}\p{N}_$]*/gu;

const isFile = (name: string) => /\.\w+$/u.test(name);
const hasUnderscore = (name: string) => /[\p{L}\p{N}]_|_[\p{L}\p{N}]/u.test(name);
const hasHumps = (name: string) => /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(name);
const isConcrete = (name: string) => isFile(name) || hasUnderscore(name) || hasHumps(name);

function namesIn(text: string): readonly string[] {
  return (text.match(candidate) ?? []).filter(isConcrete);
}

/** The last part of a path: files are named by it as often as by all of it. */
const baseName = (name: string) => name.slice(name.lastIndexOf("/") + 1);

/** All names of a patch that an abstract sentence must not hold. */
export function concreteNamesOf(patch: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const name of namesIn(patch)) {
    names.add(name.replace(/^[ab]\//, ""));
    if (isFile(name)) names.add(baseName(name));
  }
  return names;
}

const isKnown = (name: string, known: ReadonlySet<string>) =>
  known.has(name) || (isFile(name) && known.has(baseName(name)));

/** Which of the known names a text holds, each once. */
export function namesKept(text: string, known: ReadonlySet<string>): readonly string[] {
  return [...new Set(namesIn(text).filter((name) => isKnown(name, known)))];
}

/** The text with each known name replaced by what kind of thing it is. */
export function withoutNames(text: string, known: ReadonlySet<string>): string {
  return text
    .replace(candidate, (name) => (isConcrete(name) && isKnown(name, known) ? kindOf(name) : name))
    .replace(/`((?:a|an) [^`]+)`/g, "$1");
}

function kindOf(name: string): string {
  if (isFile(name)) return "a file";
  return /^\p{Lu}/u.test(name) && !hasUnderscore(name) ? "a class" : "an entity";
}
