import { z } from "zod";

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

/** What is known of a script, as it stands beside it in `record.json`. */
export const ReproRecord = z.strictObject({
  instance_id: z.string().min(1),
  lang: z.enum(["python", "bash"]),
  /** Of the script that was written or validated; another script is not the admitted one. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** It reproduced the issue on the untouched repository, both times. */
  admitted: z.boolean(),
  /** Exit status of the last validating run; null: not validated yet. */
  rc: z.int().nullable(),
  /** Of the slower validating run. */
  ms: z.int().nullable(),
  /** `provider:name` of the model that wrote it; null: none did. */
  model: z.string().nullable(),
  /** When the script was written, ISO 8601. */
  created: z.iso.datetime(),
  author: z.string().exactOptional(),
});
export type ReproRecord = Readonly<z.infer<typeof ReproRecord>>;
