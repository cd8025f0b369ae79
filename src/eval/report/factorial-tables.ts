import { PmcoderError } from "../../domain/errors.ts";
import { type Difference, summed } from "../statistics/bootstrap.ts";
import { contrast } from "../statistics/contrast.ts";
import type { Factorial } from "../statistics/factorial.ts";
import {
  effectWeights,
  type FactorialDesign,
  factorialOf,
} from "../statistics/factorial-design.ts";
import { resolvedMeasure } from "../statistics/outcome.ts";
import type { BootstrapOptions } from "../statistics/resample.ts";
import { manyTestsNote } from "./contrast-tables.ts";
import { numberColumn, type Table, textColumn } from "./document.ts";
import type { Episode } from "./episode.ts";
import { type Ledger, listed, readsOf } from "./ledger.ts";
import {
  bootstrapProbability,
  equals,
  fixed,
  maybe,
  none,
  percent,
  probability,
  range,
  signed,
} from "./numerals.ts";

/** A factorial of resolved instances, and its contrasts once more with instances that vary. */
export interface FactorialNumbers extends Factorial {
  readonly design: FactorialDesign;
  readonly instances: number;
  /** For each effect, in instances, in the same order. */
  readonly bootstrapped: readonly (Difference | null)[];
}

/** Why a design has no analysis of variance: a sentence. */
export interface Refused {
  readonly refusal: string;
}

/** null: no instance has been run in every arm. */
export function factorialNumbers(
  episodes: readonly Episode[],
  design: FactorialDesign,
  options: BootstrapOptions,
): FactorialNumbers | Refused | null {
  try {
    const found = factorialOf(episodes, design, resolvedMeasure);
    if (found === null) return null;
    const { instances, leftOut: _, ...numbers } = found;
    const bootstrapped = numbers.effects.map(({ factors }) => {
      const sum = contrast(episodes, effectWeights(design, factors), resolvedMeasure, options);
      return sum && summed(sum);
    });
    return { ...numbers, design, instances: instances.length, bootstrapped };
  } catch (error) {
    if (error instanceof PmcoderError && error.code === "usage") return { refusal: error.message };
    throw error;
  }
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((name) => other.includes(name));

const armOf = ({ design }: FactorialNumbers, on: readonly string[]) =>
  Object.entries(design.arms).find(([, own]) => isSame(own, on))?.[0] ?? "";

const meanOf = ({ cells }: FactorialNumbers, on: readonly string[]) =>
  cells.find((cell) => isSame(cell.on, on))?.mean ?? Number.NaN;

const armsOfDesign = ({ design }: FactorialNumbers) => Object.keys(design.arms);

/** The cells of the design (as arXiv:2608.06811, Table VIII). */
export function cellsTable(numbers: FactorialNumbers, ledger: Ledger): Table {
  const { design, cells, instances } = numbers;
  const without = meanOf(numbers, []);
  return {
    id: "factorial-cells",
    caption: `Resolved instances by what is on: ${listed(design.factors)}`,
    columns: [
      textColumn("arm"),
      ...design.factors.map(textColumn),
      ...["runs", "mean", "share", "gain"].map(numberColumn),
    ],
    rows: cells.map(({ on, totals, mean }) => [
      armOf(numbers, on),
      ...design.factors.map((factor) => (on.includes(factor) ? "on" : "off")),
      totals.map((total) => fixed(total)).join(", "),
      fixed(mean, 1),
      percent(mean / instances),
      on.length === 0 ? "" : signed(mean - without),
    ]),
    notes: additiveNote(numbers),
    reads: readsOf(ledger, armsOfDesign(numbers)),
  };
}

/** Of two factors: what both add against the sum of what each adds alone. */
function additiveNote(numbers: FactorialNumbers): readonly string[] {
  const { factors } = numbers.design;
  const [one, other] = factors;
  if (factors.length !== 2 || one === undefined || other === undefined) return [];
  const mean = (...on: readonly string[]) => meanOf(numbers, on);
  const [first, second] = [mean(one) - mean(), mean(other) - mean()];
  return [
    `Alone, ${one} adds ${signed(first)} and ${other} ${signed(second)}; if the two only added up, both would add ${signed(first + second)}. They add ${signed(mean(one, other) - mean())}.`,
  ];
}

/** All effects, with runs that vary and with instances that vary. */
export function effectsTable(numbers: FactorialNumbers, ledger: Ledger): Table {
  const { effects, bootstrapped, error, instances } = numbers;
  return {
    id: "factorial-effects",
    caption: "Effects of the factorial",
    columns: [
      textColumn("effect"),
      ...[
        "contrast",
        "points",
        "95 % if runs vary",
        "sum of squares",
        "F",
        "p of F",
        "95 % if instances vary",
        "p of the bootstrap",
      ].map(numberColumn),
    ],
    rows: effects.map(({ factors, contrast: sum, interval, sumOfSquares, f, p }, at) => {
      const drawn = bootstrapped[at] ?? null;
      return [
        factors.join(" × "),
        signed(sum),
        signed((100 * sum) / instances),
        interval === null ? none : range(interval, signed),
        fixed(sumOfSquares, 2),
        maybe(f, (value) => fixed(value, 2)),
        maybe(p, probability),
        drawn === null ? none : range(drawn.interval, signed),
        drawn === null ? none : bootstrapProbability(drawn),
      ];
    }),
    notes: [
      ...interactionSentences(numbers),
      `Contrast: signed sum of the cells' means, in instances; of an interaction of two, what both add beyond the sum of each alone. Error: sum of squares ${fixed(error.sumOfSquares, 2)} between runs, ${error.df} degrees of freedom. Analysis of variance takes the instances as fixed and asks whether other seeds would show the same; the bootstrap by instance asks it of other instances.`,
      ...manyTestsNote(effects.length),
    ],
    reads: readsOf(ledger, armsOfDesign(numbers)),
  };
}

/** `Interaction of plan and memory: +10.3 instances (+2.1 points), F(1,8) = 10.92, p = .011.` */
export function interactionSentences({
  effects,
  instances,
  error,
}: FactorialNumbers): readonly string[] {
  return effects
    .filter(({ factors }) => factors.length > 1)
    .map(({ factors, contrast: sum, f, p }) => {
      const points = signed((100 * sum) / instances);
      const test =
        f === null || p === null
          ? "without a test: nothing varies between runs"
          : `F(1,${error.df}) = ${fixed(f, 2)}, ${equals(probability(p))}`;
      return `Interaction of ${listed(factors)}: ${signed(sum)} instances (${points} points), ${test}.`;
    });
}
