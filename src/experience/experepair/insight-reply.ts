import { z } from "zod";
import { type InsightChange, insightOperations } from "./insights.ts";

const Change = z
  .object({
    operation: z.string().toUpperCase().pipe(z.enum(insightOperations)),
    number: z.coerce.number().int().nullable().catch(null),
    experience: z.string().catch(""),
  })
  .transform((change): InsightChange => change);

/** Changes beyond this many are no distillation (our choice). */
const maxChanges = 30;

/** The changes that fit, each judged by itself; a list that is none is empty. */
const Changes = z
  .array(z.unknown())
  .max(maxChanges)
  .transform((items) =>
    items.flatMap((item) => {
      const { data } = Change.safeParse(item);
      return data === undefined ? [] : [data];
    }),
  );

/** What a distiller asks to be changed. */
export const InsightChanges = z
  .object({ tester: Changes.optional(), coder: Changes.optional() })
  .refine(({ tester, coder }) => tester !== undefined || coder !== undefined, {
    message: 'expected the keys "tester" and "coder"',
  })
  .transform(({ tester = [], coder = [] }) => ({ tester, coder }));
export type InsightChanges = z.infer<typeof InsightChanges>;
