/** A commit without its patch. */
export interface Commit {
  /** 40 or 64 hex digits. */
  readonly sha: string;
  readonly parents: readonly string[];
  /** Subject and body as they were written; may be empty. */
  readonly message: string;
  /** Epoch ms; null: its date cannot be read. */
  readonly committedAt: number | null;
  /** Paths that it changed; of a move both. */
  readonly files: readonly string[];
  /** `[before, after]` of files that git saw moving. */
  readonly moves: readonly (readonly [string, string])[];
}

/** The issue that memory is asked about. */
export interface Target {
  readonly issue: string;
  /** Epoch ms; null: not known, and then no commit is too young. */
  readonly createdAt: number | null;
  /** Numbers of the issue and of the request that resolved it, where they are known. */
  readonly numbers: readonly string[];
}

/** Another issue of the repository. */
export interface IssueEntry {
  readonly id: string;
  readonly title: string;
  readonly body: string;
}

export const subjectOf = ({ message }: Pick<Commit, "message">) =>
  message.trimStart().split("\n", 1)[0]?.trim() ?? "";

/** Nine digits, as SearchCommit shows it (arXiv:2510.01003). */
export const shortOf = ({ sha }: Pick<Commit, "sha">) => sha.slice(0, 9);
