import type { Signature } from "../signature.ts";
import { type Comparison, compare } from "./contrast.ts";
import type { Measure, Outcome, Pair } from "./outcome.ts";
import type { BootstrapOptions } from "./resample.ts";

/** A row with what its episode looked like; fields that are not known are left out or null. */
export type SignedOutcome = Outcome & {
  readonly [Field in keyof Signature]?: Signature[Field] | null;
};

/** The rows of arXiv:2608.06811, Table V, and episode length, as measures of an episode. */
export const signatureMeasures = {
  failedRecurrence: ({ failedRecurrence }) => failedRecurrence ?? null,
  gaveUp: ({ gaveUp }) => asNumber(gaveUp),
  contextExhausted: ({ contextExhausted }) => asNumber(contextExhausted),
  recoveries: ({ recoveries }) => recoveries ?? null,
  turns: ({ turns }) => turns ?? null,
} as const satisfies Record<keyof Signature, Measure<SignedOutcome>>;

/** Each signature averaged over an instance's runs, then compared in pairs of instances. */
export function compareSignatures(
  rows: readonly SignedOutcome[],
  pair: Pair,
  options?: BootstrapOptions,
): Readonly<Record<keyof Signature, Comparison | null>> {
  const of = (measure: Measure<SignedOutcome>) => compare(rows, pair, measure, options);
  return {
    failedRecurrence: of(signatureMeasures.failedRecurrence),
    gaveUp: of(signatureMeasures.gaveUp),
    contextExhausted: of(signatureMeasures.contextExhausted),
    recoveries: of(signatureMeasures.recoveries),
    turns: of(signatureMeasures.turns),
  };
}

function asNumber(value: boolean | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
