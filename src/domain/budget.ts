/** `wait`: not now, but what others have reserved may come back. `never`: nothing is reserved. */
export type Admission = "yes" | "wait" | "never";

/**
 * The money of an experiment, shared by all who work on it: what its jobs have spent, and what is
 * reserved for runs under way. US dollars.
 *
 * Contract (test/contracts/budget.ts): whatever happens at the same time, and whoever dies, all that
 * was spent and reserved never passes the cap. What a dead worker had reserved stays reserved until
 * its job is admitted or settled by another.
 */
export interface Budget {
  /** Reserves the cap of one run for a job whose earlier runs have spent `spent`. */
  admit(job: string, spent: number): Promise<Admission>;
  /** What `admit` would say of a job that has spent nothing; nothing is reserved. */
  outlook(): Promise<Admission>;
  /** All that a job has spent; nothing is reserved for it any more. */
  settle(job: string, spent: number): Promise<void>;
}
