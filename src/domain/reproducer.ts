/**
 * A script that shows whether an issue is still there: exit status 0 is no, 1 is yes, any other
 * says that the script itself failed. It runs at the top of the repository.
 */
export interface Reproducer {
  readonly lang: "python" | "bash";
  readonly text: string;
  /** Of the text in UTF-8, hex. */
  readonly sha256: string;
}
