import type { Analysis } from "./analysis.ts";
import { interactionSentences } from "./factorial-tables.ts";
import { listed, unjudged } from "./ledger.ts";
import { bootstrapProbability, equals, fixed, percent, plural, range, signed } from "./numerals.ts";
import { mixedImages } from "./provenance.ts";

/** The results in a few sentences, each with its interval. */
export function summaryOf(analysis: Analysis): readonly string[] {
  const { factorial } = analysis;
  const interactions = factorial && "cells" in factorial ? interactionSentences(factorial) : [];
  return [armsSentence(analysis), ...headlineSentence(analysis), ...interactions];
}

function armsSentence({ arms, ledger }: Analysis): string {
  const parts = arms.flatMap(({ arm, resolved, total }) => {
    if (resolved === null || total === null) return [];
    const mean = fixed(total.value, Number.isInteger(total.value) ? 0 : 1);
    return [`${arm} ${mean} (${percent(resolved.value)})`];
  });
  const instances = Math.max(0, ...ledger.map((row) => row.instances));
  return `Resolved of ${plural(instances, "instance")}, mean over the runs: ${parts.join(", ")}.`;
}

function headlineSentence({ pairs, gains, losses }: Analysis): readonly string[] {
  const found = [...gains, ...losses].find(
    ({ pair }) =>
      pair.baseline === pairs.headline?.baseline && pair.treatment === pairs.headline.treatment,
  );
  if (!found?.total || !found.difference) return [];
  const { pair, total, difference } = found;
  const points = signed(100 * difference.value);
  return [
    `${pair.treatment} against ${pair.baseline}: ${signed(total.value)} instances (${range(total.interval, signed)}), ${points} points, ${equals(bootstrapProbability(difference))}.`,
  ];
}

/** Instances that a warning names. Our choice. */
const mostNamed = 5;

/** Instances below which a bootstrap by instance says little. Our choice. */
const fewInstances = 20;

/** What makes the numbers less than they seem, the worst first. */
export function warningsOf(analysis: Analysis): readonly string[] {
  const { ledger, unplanned, provenance } = analysis;
  const mixed = mixedImages(provenance);
  const { refused } = provenance.gold;
  return [
    ...openWarning(analysis),
    ...sizesWarning(analysis),
    ...seedsWarning(analysis),
    ...fewWarning(analysis),
    ...(refused.length === 0
      ? []
      : [
          `The grader does not accept the own patch of ${named(refused)}: its verdicts there mean nothing.`,
        ]),
    ...(mixed.length === 0 ? [] : [`Episodes of ${named(mixed)} ran in different images.`]),
    ...(provenance.grading.graders.length > 1
      ? [
          `Verdicts are not all by one grader and its rules: ${provenance.grading.graders.join("; ")}. pmcoder eval grade --regrade judges the stored logs by one, with --gold those of gold patches too.`,
        ]
      : []),
    ...(provenance.models.length > 1
      ? [`Episodes ran with different models: ${listed(provenance.models)}.`]
      : []),
    ...(unplanned.length === 0
      ? []
      : [`${plural(unplanned.length, "result")} of jobs that are not planned are left out.`]),
    ...(ledger.length === 0 ? ["No episode is planned."] : []),
  ];
}

function openWarning({ ledger }: Analysis): readonly string[] {
  const open = unjudged(ledger);
  if (open === 0) return [];
  const of = (state: "missing" | "ungraded" | "given_up") =>
    fixed(ledger.reduce((sum, { states }) => sum + states[state], 0));
  const planned = ledger.reduce((sum, row) => sum + row.planned, 0);
  return [
    `No verdict for ${fixed(open)} of ${plural(planned, "planned episode")} (not ended ${of("missing")}, not graded ${of("ungraded")}, given up ${of("given_up")}). What has none counts as not resolved.`,
  ];
}

function sizesWarning({ ledger }: Analysis): readonly string[] {
  const sizes = new Set(ledger.map(({ instances, seeds }) => `${instances} × ${seeds.join(",")}`));
  if (sizes.size < 2) return [];
  return [
    "Arms have different instances or seeds; comparisons are over the instances that both have.",
  ];
}

/** As when an experiment went on with other instances than it began with, for some seeds alone. */
function seedsWarning({ ledger }: Analysis): readonly string[] {
  const uneven = ledger.filter(
    ({ planned, instances, seeds }) => planned < instances * seeds.length,
  );
  if (uneven.length === 0) return [];
  const arms = listed(uneven.map(({ arm }) => arm));
  return [
    `Seeds of ${arms} have different instances: their runs, and the deviation of these, cannot be compared.`,
  ];
}

function fewWarning({ ledger }: Analysis): readonly string[] {
  const instances = Math.max(0, ...ledger.map((row) => row.instances));
  if (instances === 0 || instances >= fewInstances) return [];
  return [
    `With ${plural(instances, "instance")}, intervals and p of a bootstrap by instance say little.`,
  ];
}

function named(instances: readonly string[]): string {
  const rest = instances.length - mostNamed;
  const first = instances.slice(0, mostNamed);
  return rest > 0 ? `${first.join(", ")} and ${fixed(rest)} more` : listed(first);
}
