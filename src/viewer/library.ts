import type { RunConfig } from "../domain/config/run-config.ts";
import type { Journal } from "../domain/journal.ts";
import type { ForeignEpisode } from "../trajectories/foreign.ts";
import { foreignRecording } from "./foreign-recording.ts";
import { titleOf } from "./overview-html.ts";
import type { Recording } from "./recording.ts";
import { runRecording } from "./run-recording.ts";

/** An episode in a list. */
export interface Entry {
  /** What names it in an address: letters, digits, `-`. */
  readonly key: string;
  readonly instanceId: string | null;
  readonly title: string;
  /** The file it stands in; null: a run. */
  readonly file: string | null;
  readonly status: string | null;
  readonly arm: string;
  readonly model: string | null;
  /** Epoch ms; null: not recorded. */
  readonly startedAt: number | null;
  /** null: not known without reading all of it. */
  readonly steps: number | null;
}

/** What there is to see. Keys that it does not know are never looked for anywhere. */
export interface Library {
  list(): Promise<readonly Entry[]>;
  /** null: no episode has this key. */
  open(key: string): Promise<Recording | null>;
  close(): Promise<void>;
}

/** The runs in a journal; `full` says how plan and memory are replayed where they were off. */
export function journalLibrary(journal: Journal, full: RunConfig): Library {
  return {
    list: async () =>
      (await journal.runs()).map(({ run, instanceId, arm, model, startedAt, status }) => ({
        key: run,
        instanceId,
        title: instanceId ?? run,
        file: null,
        status,
        arm,
        model,
        startedAt,
        steps: null,
      })),
    open: async (key) => {
      const events = await journal.read(key);
      return events.length === 0 ? null : runRecording(events, full);
    },
    close: () => journal.close(),
  };
}

/** A file with recorded episodes, and what a list says of each. */
export interface TrajectoryFile {
  /** Reads it anew, so that a thousand files need not stand in memory. */
  read(): readonly ForeignEpisode[];
  readonly episodes: readonly Omit<Entry, "key">[];
}

/** Reads the file once. Throws what `read` throws. */
export function trajectoryFile(name: string, read: TrajectoryFile["read"]): TrajectoryFile {
  const episodes = read().map((episode) => {
    const { instanceId, exitStatus: status, format: arm, model, turns } = episode;
    const title = titleOf(episode);
    const steps = turns.length;
    return { instanceId, title, file: name, status, arm, model, startedAt: null, steps };
  });
  return { read, episodes };
}

/** The episodes of files; `wanted`: of which instance, null for all. */
export function trajectoryLibrary(
  files: readonly TrajectoryFile[],
  config: RunConfig,
  wanted: string | null = null,
): Library {
  const places = new Map(
    files.flatMap(({ read, episodes }, file) =>
      episodes.map((episode, place) => {
        const key = `t${file}-${place}`;
        return [key, { entry: { key, ...episode }, open: () => read()[place] }] as const;
      }),
    ),
  );
  const entries = [...places.values()].map(({ entry }) => entry);
  return {
    list: async () => entries.filter(({ instanceId }) => wanted === null || instanceId === wanted),
    open: async (key) => {
      const episode = places.get(key)?.open();
      return episode ? foreignRecording(episode, config) : null;
    },
    close: async () => {},
  };
}

/** Several libraries as one; the first that knows a key opens it. */
export function joinedLibrary(libraries: readonly Library[]): Library {
  return {
    list: async () => (await Promise.all(libraries.map((library) => library.list()))).flat(),
    open: async (key) => {
      for (const library of libraries) {
        const found = await library.open(key);
        if (found) return found;
      }
      return null;
    },
    close: async () => {
      for (const library of libraries) await library.close();
    },
  };
}
