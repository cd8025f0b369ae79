import { hostname } from "node:os";
import type { JobHandler } from "../../domain/queue.ts";
import type { RunLocks } from "../../domain/run-lock.ts";
import type { Tell } from "../../eval/batch/batch-event.ts";
import type { ExperimentSpec } from "../../eval/batch/episode-spec.ts";
import type { Grader } from "../../eval/batch/grader.ts";
import { handlerOf } from "../../eval/batch/handler.ts";
import { watchImages } from "../../eval/batch/image-use.ts";
import { watchForBreakdown } from "../../eval/batch/patience.ts";
import { systemClock } from "../compose.ts";
import type { Session } from "../session.ts";
import { capReason } from "./cap.ts";
import type { Engines } from "./engine.ts";
import { goldFolder, goldImage, goldRunId } from "./places.ts";
import { openStage } from "./stage.ts";
import type { BatchStore } from "./store.ts";
import type { FindVenue } from "./venue.ts";

/** Why a batch takes no more jobs although there are some. */
export interface Stop {
  readonly why: "cap" | "broken";
  readonly reason: string;
}

export interface WorkerParts {
  /** The experiment's name among all. */
  readonly key: string;
  readonly spec: ExperimentSpec;
  readonly store: BatchStore;
  /** Where its runs leave their files. */
  readonly folder: string;
  readonly locks: RunLocks;
  readonly engines: Engines;
  readonly venueOf: FindVenue;
  /** Commands may run without a sandbox: somebody has agreed to it. */
  readonly mayRunLocally: boolean;
  readonly grader: Grader;
  /** Jobs to come by image; null: others take jobs too. */
  readonly imagesLeft: ReadonlyMap<string, number> | null;
  /** Jobs at once. */
  readonly concurrency: number;
  readonly session: Session;
  /** Aborts when what runs is to be ended. */
  readonly signal: AbortSignal;
  readonly tell: Tell;
  readonly stop: (stop: Stop) => void;
}

/** Does the jobs of an experiment on this machine. */
export function openHandler(parts: WorkerParts): JobHandler {
  const { key, spec, store, folder, engines } = parts;
  const watch = watchForBreakdown((reason) => parts.stop({ why: "broken", reason }));
  const tell: Tell = (event) => {
    parts.tell(event);
    watch(event);
  };
  const stage = openStage({
    ...parts,
    name: spec.name,
    journal: store.journal,
    db: store.db,
    note: (text) => tell({ type: "note", text }),
  });
  return handlerOf({
    experiment: key,
    journal: store.journal,
    budget: store.budget,
    grader: parts.grader,
    gradingRetries: spec.retries.grading,
    stage,
    clock: systemClock,
    host: hostname(),
    tell,
    signal: parts.signal,
    onCapReached: () => parts.stop({ why: "cap", reason: capReason(spec.caps) }),
    read: store.read,
    gold: (instance) => ({
      runId: goldRunId(spec),
      folder: goldFolder(folder, spec, instance.row),
      image: goldImage(instance),
    }),
    images: watchImages({
      store: engines,
      limit: spec.imageCache,
      left: parts.imagesLeft,
      recent: parts.concurrency + 1,
    }),
    onStorageLost: ({ message }) => parts.stop({ why: "broken", reason: message }),
  });
}
