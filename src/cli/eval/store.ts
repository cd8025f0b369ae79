import { join } from "node:path";
import type { Budget } from "../../domain/budget.ts";
import type { Journal } from "../../domain/journal.ts";
import type { Queue } from "../../domain/queue.ts";
import { admissionOf, memoryBudget } from "../../eval/batch/budget.ts";
import type { Documents, ReadDocument } from "../../eval/batch/episode-spec.ts";
import { openPostgresJournal } from "../../store/postgres.ts";
import { openPostgresExperiment } from "../../store/postgres-experiment.ts";
import { openMemoryQueue } from "../../store/queue-memory.ts";
import { openPostgresQueue } from "../../store/queue-postgres.ts";
import { openJournal } from "../../store/sqlite.ts";
import type { Closing } from "../closing.ts";
import { systemClock } from "../compose.ts";

export interface Caps {
  readonly perRunUsd: number;
  readonly totalUsd: number;
}

/** What the processes of an experiment share. */
export interface BatchStore {
  readonly journal: Journal;
  readonly queue: Queue;
  readonly budget: Budget;
  readonly read: ReadDocument;
  /** The journal's database, as summaries name it. */
  readonly db: string;
  /** Milliseconds between two looks for results. */
  readonly pollMs: number;
}

interface Shared {
  /** The experiment's name among all. */
  readonly key: string;
  readonly caps: Caps;
  /** Attempts of a job that the infrastructure fails. */
  readonly maxAttempts: number;
}

/** One process does everything: the journal is a file of the output folder. */
export function openOwnStore(
  journal: Journal,
  folder: string,
  documents: Documents,
  {
    caps,
    maxAttempts,
    spent,
  }: Omit<Shared, "key"> & {
    /** By job, in earlier processes. */
    readonly spent: ReadonlyMap<string, number>;
  },
): BatchStore {
  return {
    journal,
    queue: openMemoryQueue(systemClock, { maxAttempts }),
    budget: memoryBudget(caps, spent),
    read: async (key) => documents.get(key),
    db: ownDatabase(folder),
    pollMs: 100,
  };
}

const ownDatabase = (folder: string) => join(folder, "pmcoder.db");

/** The journal of an output folder. */
export const openOwnJournal = (folder: string) => openJournal(ownDatabase(folder), systemClock);

export interface SharedStore extends BatchStore {
  put(documents: Documents): Promise<void>;
}

/** Many processes work together over a PostgreSQL database. What is opened is added to `closing`. */
export async function openSharedStore(
  url: string,
  { key, caps, maxAttempts, leaseSec }: Shared & { readonly leaseSec: number },
  closing: Closing,
): Promise<SharedStore> {
  const journal = await openPostgresJournal(url, systemClock);
  closing.add(() => journal.close());
  const experiment = await openPostgresExperiment(url, key, systemClock);
  closing.add(() => experiment.close());
  const queue = await openPostgresQueue(url, key, systemClock, { maxAttempts, leaseSec });
  closing.add(() => queue.close());
  return {
    journal,
    queue,
    budget: experiment.budget((spent, running) => admissionOf(spent, running, caps)),
    read: experiment.read,
    put: experiment.put,
    db: withoutSecrets(url),
    pollMs: 1000,
  };
}

/** The address of a database for people: neither user nor password. */
function withoutSecrets(url: string): string {
  const { protocol, host, pathname, searchParams } = new URL(url);
  const socket = searchParams.get("host");
  return `${protocol}//${socket === null ? host : encodeURIComponent(socket)}${pathname}`;
}
