const fileName = /\.(?:pyi?|[cm]?[jt]sx?|c|h|cpp|java|go|rs|rb|rst|md|toml|cfg|ini|json|ya?ml)$/;

/** Where the paths of a text are anchored, and which of them are known already. */
export interface PathContext {
  /** Absolute path of the repository as outputs print it; null when unknown. */
  readonly root: string | null;
  readonly isKnown: (file: string) => boolean;
}

/**
 * The files that a text names, distinct, in order of appearance: path-like words with the ending
 * of source, documentation or configuration that hold a slash or are known. Paths inside the
 * repository become relative to it; absolute ones outside, such as installed packages, are left
 * out, and so is the `a/` or `b/` of a diff.
 */
export function mentionedFiles(text: string, context: PathContext): readonly string[] {
  const files = new Set<string>();
  for (const [word] of text.matchAll(/[\w./-]{3,}/g)) {
    const path = word.replace(/(?<!\.)\.+$/, "");
    const file = fileName.test(path) ? repositoryPath(path, context) : null;
    if (file !== null) files.add(file);
  }
  return [...files];
}

function repositoryPath(path: string, { root, isKnown }: PathContext): string | null {
  const inside = root !== null && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  const file = inside.replace(/^(?:\.\/)+/, "");
  if (file.startsWith("/") || file.startsWith("..") || file.includes("//")) return null;
  if (isKnown(file)) return file;
  const undiffed = file.replace(/^[ab]\//, "");
  if (isKnown(undiffed)) return undiffed;
  return file.includes("/") ? file : null;
}
