import type { ExperienceName, IssueIdentity } from "./experience.ts";
import type { Origin } from "./origin.ts";

/** What JSON can hold. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

/** Which memories are meant; what is left out does not matter. */
export interface Place {
  readonly system?: ExperienceName;
  /** A stage, or what a system calls the rest of its memories, such as `insight:tester`. */
  readonly kind?: string;
  readonly repo?: string;
}

/** When a memory was learned, and what came of it. */
export interface Standing {
  /** Epoch ms. */
  readonly learnedAt: number;
  readonly uses: number;
  readonly helped: number;
  readonly harmed: number;
}

export interface NewMemory {
  readonly system: ExperienceName;
  readonly kind: string;
  readonly from: IssueIdentity;
  readonly payload: Json;
  /** What a recall chooses by without opening the payload. */
  readonly labels: readonly string[];
  /** Terms by which it is found, with repetition, by field. */
  readonly terms: Readonly<Record<string, readonly string[]>>;
  /** The run's id or the trajectory's file. */
  readonly learnedFrom: string;
  /** As another bank knew it; left out: it is learned now. */
  readonly standing?: Standing;
}

export interface Memory extends Omit<NewMemory, "terms" | "standing">, Standing {
  /** The same for the same content: system, kind, issue, payload and labels. */
  readonly id: string;
}

/** What of a memory decides whether it is looked at. */
export interface MemoryHead {
  readonly id: string;
  readonly system: ExperienceName;
  readonly kind: string;
  readonly origin: Origin;
  readonly labels: readonly string[];
}

/** Records that hold a term, each once, and how often each does. */
export interface Postings {
  readonly records: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
}

/** One field of all records of a corpus; a record is its place in `heads`. */
export interface TermIndex {
  /** Terms of each record, with repetition; 0 where it has no such field. */
  readonly lengths: ArrayLike<number>;
  /** Null: no record holds the term. */
  postings(term: string): Postings | null;
  /** Of every term. */
  allPostings(): Iterable<Postings>;
}

/** All memories of a place, as a ranking needs them. */
export interface Corpus {
  /** In the order in which they were learned. */
  readonly heads: readonly MemoryHead[];
  field(name: string): TermIndex;
}

/**
 * Where memories across issues are kept.
 *
 * Contract (test/contracts/bank.ts): each call is one transaction; once it resolves, what it wrote
 * survives the death of the process, and several processes may work at once without losing
 * anything. Rejects with PmcoderError `storage`, naming the file and what to do. What was forgotten
 * is in no later answer, and none of its words is left in the file.
 */
export interface Bank {
  /** Ids in the order given. What is known by its content stays as it is. */
  add(memories: readonly NewMemory[]): Promise<readonly { id: string; isNew: boolean }[]>;
  /** In the order learned, or as the ids stand; ids that are not known are left out. */
  read(where: Place | { readonly ids: readonly string[] }): Promise<readonly Memory[]>;
  corpus(place: Place): Promise<Corpus>;
  /**
   * Makes the place hold `next`, in that order, provided that it holds exactly `expected`; else
   * changes nothing and gives false. A memory that stays keeps its counts.
   */
  replace(
    place: Required<Place>,
    expected: readonly string[],
    next: readonly NewMemory[],
  ): Promise<boolean>;
  /** How many of them there were. */
  forget(ids: readonly string[]): Promise<number>;
  /** Adds one to that count of each. */
  count(ids: readonly string[], what: "uses" | "helped" | "harmed"): Promise<void>;
}
