import type { Io } from "./io.ts";
import { readTask } from "./task-source.ts";

interface Flags {
  readonly dataset?: string | undefined;
  readonly issue?: string | undefined;
}

/** The text of the issue of this name; null when no source is given. Throws PmcoderError `usage`. */
export async function issueOf(name: string, flags: Flags, io: Io): Promise<string | null> {
  const { dataset, issue } = flags;
  if (dataset === undefined && issue === undefined) return null;
  const row = dataset === undefined ? {} : { instance: name, dataset };
  const { text } = await readTask({ ...row, issue }, io);
  return text;
}
