import { armsOf, type Pair } from "../statistics/outcome.ts";
import { type BootstrapOptions, bootstrapDefaults } from "../statistics/resample.ts";
import { type ContrastNumbers, contrastNumbers } from "./contrast-tables.ts";
import { designOf } from "./design.ts";
import {
  type EffortChange,
  type EffortNumbers,
  effortChange,
  effortNumbers,
} from "./effort-tables.ts";
import { type Episode, episodesOf } from "./episode.ts";
import { type FactorialNumbers, factorialNumbers, type Refused } from "./factorial-tables.ts";
import { type FlipNumbers, flipNumbers } from "./flips-table.ts";
import { type GuardNumbers, guardNumbers } from "./guard-table.ts";
import { type Ledger, ledgerOf } from "./ledger.ts";
import { type Chosen, type Pairs, pairsOf, shownPairs } from "./pairs.ts";
import { type PassNumbers, passNumbers } from "./pass-table.ts";
import { type PhaseNumbers, phaseNumbers } from "./phase-table.ts";
import { type PowerNumbers, powerNumbers } from "./power-tables.ts";
import { type Provenance, provenanceOf } from "./provenance.ts";
import { type ArmNumbers, armNumbers } from "./resolved-table.ts";
import { type SignatureNumbers, signatureNumbers } from "./signature-table.ts";
import type { ReportSource } from "./source.ts";
import { type StrataNumbers, strataNumbers } from "./strata-tables.ts";
import { type VerdictNumbers, verdictNumbers } from "./verdict-table.ts";

/** The rows of an experiment, ready for its tables. */
export interface Material {
  readonly source: ReportSource;
  readonly episodes: readonly Episode[];
  readonly unplanned: readonly string[];
  readonly ledger: Ledger;
  readonly pairs: Pairs;
  readonly bootstrap: BootstrapOptions;
}

export interface ReportOptions extends Chosen {
  readonly bootstrap?: BootstrapOptions;
}

/** Throws PmcoderError `usage` when an arm is named that the experiment lacks. */
export function materialOf(source: ReportSource, options: ReportOptions = {}): Material {
  const declared = source.experiment.arms.map(({ name }) => name);
  const { episodes, unplanned } = episodesOf(source.jobs, declared, source.results);
  return {
    source,
    episodes,
    unplanned,
    ledger: ledgerOf(episodes),
    pairs: pairsOf(armsOf(episodes), options),
    bootstrap: options.bootstrap ?? bootstrapDefaults,
  };
}

/** All numbers of a report, plain JSON; tables and figures are made from nothing else. */
export interface Analysis {
  readonly provenance: Provenance;
  readonly ledger: Ledger;
  readonly unplanned: readonly string[];
  readonly pairs: Pairs;
  readonly arms: readonly ArmNumbers[];
  readonly gains: readonly ContrastNumbers[];
  readonly losses: readonly ContrastNumbers[];
  readonly factorial: FactorialNumbers | Refused | null;
  readonly signatures: readonly SignatureNumbers[];
  readonly strata: readonly StrataNumbers[];
  readonly verdicts: readonly VerdictNumbers[];
  readonly passAtK: readonly PassNumbers[];
  readonly efforts: readonly EffortNumbers[];
  readonly effortChange: EffortChange | null;
  readonly phases: readonly PhaseNumbers[];
  readonly flips: FlipNumbers | null;
  readonly guard: GuardNumbers;
  readonly power: PowerNumbers | null;
}

export function analyse(material: Material): Analysis {
  const { source, episodes, unplanned, ledger, pairs, bootstrap } = material;
  const { headline } = pairs;
  const contrasts = (chosen: readonly Pair[]) =>
    chosen.map((pair) => contrastNumbers(episodes, pair, bootstrap));
  const shown = shownPairs(pairs);
  return {
    provenance: provenanceOf(source, bootstrap),
    ledger,
    unplanned,
    pairs,
    arms: armNumbers(episodes, bootstrap),
    gains: contrasts(pairs.gains),
    losses: contrasts(pairs.losses),
    factorial: factorialIn(material),
    signatures: shown.map((pair) => signatureNumbers(episodes, pair, bootstrap)),
    strata: shown.map((pair) => strataNumbers(episodes, pair, bootstrap)),
    verdicts: verdictNumbers(episodes),
    passAtK: passNumbers(episodes, bootstrap),
    efforts: effortNumbers(episodes, bootstrap),
    effortChange: headline && effortChange(episodes, headline, bootstrap),
    phases: phaseNumbers(episodes, bootstrap),
    flips: headline && flipNumbers(episodes, headline),
    guard: guardNumbers(episodes, source.peeks),
    power: headline && powerNumbers(episodes, contrastNumbers(episodes, headline, bootstrap)),
  };
}

/** null: the arms make no factorial, or no instance has been run in all of them. */
export function factorialIn({
  source,
  ledger,
  episodes,
  bootstrap,
}: Material): FactorialNumbers | Refused | null {
  const arms = ledger.map(({ arm }) => arm);
  const design = designOf(arms, source.declaration.arms);
  return design && factorialNumbers(episodes, design, bootstrap);
}
