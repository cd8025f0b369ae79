import { z } from "zod";
import type { Json, Memory, NewMemory } from "../../domain/bank.ts";
import type { PastEpisode } from "../../domain/experience.ts";
import { codeAware } from "../tokenize.ts";
import { indexText } from "./issue-type.ts";

/** A text as an embedding model placed it; `vector` is base64 of 32-bit floats, little-endian. */
const Embedding = z.object({ name: z.string(), vector: z.string() });

/** What was learned from one issue (SWE-Exp, 3.3.1). */
const Experience = z.object({
  flag: z.enum(["success", "failed"]),
  issue_type: z.string(),
  description: z.string(),
  /** How such an issue is understood; of a failure, what was misunderstood. */
  perspective: z.array(z.string()),
  /** How such an issue is repaired; of a failure, what was done wrong. */
  modification: z.array(z.string()),
  /** The patch that it was extracted from, for the ablation without extraction. */
  patch: z.string(),
  embedding: Embedding.nullable(),
});
export type Experience = z.infer<typeof Experience>;

/** Where experiences stand in the bank. */
export const shelf = { system: "swe-exp", kind: "experience" } as const;

/** The field of the index that holds an experience's terms. */
export const indexField = "issue";

export function memoryOf(experience: Experience, episode: PastEpisode): NewMemory {
  return {
    ...shelf,
    from: episode.from,
    payload: experience satisfies Json,
    labels: [experience.flag],
    terms: { [indexField]: codeAware(indexText(experience)) },
    learnedFrom: episode.source,
  };
}

/** null: something else stands there, of another version or damaged. */
export function experienceIn({ payload }: Pick<Memory, "payload">): Experience | null {
  return Experience.safeParse(payload).data ?? null;
}

export function packed(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => {
    bytes.writeFloatLE(value, index * 4);
  });
  return bytes.toString("base64");
}

export function unpacked(text: string): Float32Array {
  const bytes = Buffer.from(text, "base64");
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) =>
    bytes.readFloatLE(index * 4),
  );
}
