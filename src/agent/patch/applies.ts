/** Exit statuses of `applyCheck`. */
export const verdict = { applies: 0, refused: 86 } as const;

/**
 * The end of a script on a base: whether the patch in the named file of the private folder applies
 * to the base's tree. Nothing is written. An empty patch applies.
 */
export function applyCheck(file: string): string {
  return `[ -s "$HOME/${file}" ] || exit ${verdict.applies}
GIT_INDEX_FILE="$GIT_DIR/index" git apply --cached --check --whitespace=nowarn "$HOME/${file}" ||
  exit ${verdict.refused}
exit ${verdict.applies}`;
}
