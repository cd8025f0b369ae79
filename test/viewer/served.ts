import { onTestFinished } from "vitest";
import type { ForeignEpisode } from "../../src/trajectories/foreign.ts";
import { type Library, trajectoryFile, trajectoryLibrary } from "../../src/viewer/library.ts";
import { serveViewer, type Viewer } from "../../src/viewer/server.ts";
import { assets } from "./chromium.ts";
import { fullConfig } from "./recordings.ts";

/** Trajectory files, each with its episodes, as a library; keys are `tFILE-PLACE`. */
export function libraryOf(files: Readonly<Record<string, readonly ForeignEpisode[]>>): Library {
  const read = Object.entries(files).map(([name, episodes]) =>
    trajectoryFile(name, () => episodes),
  );
  return trajectoryLibrary(read, fullConfig);
}

/** A viewer over real HTTP, closed when the test ends. */
export async function served(library: Library): Promise<Viewer> {
  const viewer = await serveViewer({ library, assets });
  onTestFinished(() => viewer.close());
  return viewer;
}
