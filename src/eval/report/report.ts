import type { Analysis } from "./analysis.ts";
import { contrastTable, mcnemarTable } from "./contrast-tables.ts";
import type { Figure, Report, Section, Table } from "./document.ts";
import { effortChangeTable, effortTable } from "./effort-tables.ts";
import { cellsTable, effectsTable } from "./factorial-tables.ts";
import { costFigure } from "./figures/cost.ts";
import { differenceFigure, resolvedFigure } from "./figures/estimates.ts";
import { flipsFigure } from "./figures/flips.ts";
import { interactionFigure } from "./figures/interaction.ts";
import { phasesFigure } from "./figures/phases.ts";
import { flipsTable } from "./flips-table.ts";
import { guardTable, peeksTable } from "./guard-table.ts";
import { endsTable, infrastructureTable, ledgerTable } from "./ledger.ts";
import { passTable } from "./pass-table.ts";
import { phaseTable } from "./phase-table.ts";
import { powerTable } from "./power-tables.ts";
import { imagesTable, provenanceTable } from "./provenance.ts";
import { resolvedTable } from "./resolved-table.ts";
import { signatureTable } from "./signature-table.ts";
import { armingTable, difficultyTable } from "./strata-tables.ts";
import { summaryOf, warningsOf } from "./summary.ts";
import { verdictTable } from "./verdict-table.ts";

/** The report of an analysis: everything that people read, and in which order. */
export function documentOf(analysis: Analysis): Report {
  return {
    title: `Experiment ${analysis.provenance.experiment}`,
    summary: summaryOf(analysis),
    warnings: warningsOf(analysis),
    sections: [
      resolvedSection(analysis),
      factorialSection(analysis),
      partsSection(analysis),
      flipsSection(analysis),
      signatureSection(analysis),
      strataSection(analysis),
      effortSection(analysis),
      episodesSection(analysis),
      powerSection(analysis),
      provenanceSection(analysis),
    ].filter(({ text, figures, tables }) => text.length + figures.length + tables.length > 0),
  };
}

interface Parts {
  readonly text?: readonly string[];
  readonly figures?: readonly (Figure | null)[];
  readonly tables: readonly (Table | null)[];
}

function section(id: string, title: string, { text = [], figures = [], tables }: Parts): Section {
  return {
    id,
    title,
    text,
    figures: figures.filter((figure) => figure !== null),
    tables: tables.filter((table) => table !== null && table.rows.length > 0) as readonly Table[],
  };
}

function resolvedSection({ arms, gains, losses, passAtK, pairs, ledger }: Analysis): Section {
  const gainsAbout = { id: "gains", caption: "Gains against the baseline" };
  return section("results", "Resolved instances", {
    figures: [
      resolvedFigure(arms, pairs.headline?.baseline ?? null),
      differenceFigure(gains, { id: "figure-gains", title: "Gains in resolved instances" }),
    ],
    tables: [
      resolvedTable(arms, ledger),
      contrastTable(gains, ledger, gainsAbout),
      mcnemarTable(gains.length > 0 ? gains : losses, ledger),
      passAtK.some(({ passAt }) => passAt.length > 1) ? passTable(passAtK, ledger) : null,
    ],
  });
}

function factorialSection({ factorial, ledger }: Analysis): Section {
  const title = "What the parts add together";
  if (factorial === null) return section("factorial", title, { tables: [] });
  if ("refusal" in factorial) {
    return section("factorial", title, {
      text: [`There is no analysis of variance yet. ${factorial.refusal}`],
      tables: [],
    });
  }
  return section("factorial", title, {
    figures: [interactionFigure(factorial)],
    tables: [cellsTable(factorial, ledger), effectsTable(factorial, ledger)],
  });
}

function partsSection({ losses, ledger }: Analysis): Section {
  const about = { id: "losses", caption: "The full arm's variants against it" };
  return section("parts", "What each part is worth", {
    figures: [
      differenceFigure(losses, { id: "figure-losses", title: "What is lost without a part" }),
    ],
    tables: [contrastTable(losses, ledger, about)],
  });
}

function flipsSection({ flips, gains, losses, ledger }: Analysis): Section {
  const others = "--baseline and --treatment choose another pair to be looked at in detail.";
  return section("flips", "Instances won and lost", {
    text: gains.length + losses.length > 1 ? [others] : [],
    figures: [flips && flipsFigure(flips)],
    tables: [flips && flipsTable(flips, ledger)],
  });
}

function signatureSection({ signatures, verdicts, ledger }: Analysis): Section {
  return section("signatures", "What episodes look like", {
    tables: [signatureTable(signatures, ledger), verdictTable(verdicts, ledger)],
  });
}

/** A single stratum is the whole once more. */
function strataSection({ strata, ledger }: Analysis): Section {
  const hasDifficulty = strata.some(({ difficulty }) => difficulty.length > 1);
  const hasArming = strata.some(({ arming }) => arming.length > 1);
  return section("strata", "Kinds of instances", {
    tables: [
      hasDifficulty ? difficultyTable(strata, ledger) : null,
      hasArming ? armingTable(strata, ledger) : null,
    ],
  });
}

function effortSection(analysis: Analysis): Section {
  const { arms, efforts, effortChange, phases, pairs, ledger } = analysis;
  return section("effort", "What it takes", {
    figures: [costFigure(arms, efforts, pairs.headline?.baseline ?? null), phasesFigure(phases)],
    tables: [
      effortTable(efforts, ledger),
      effortChange && effortChangeTable(effortChange, ledger),
      phaseTable(phases, ledger),
    ],
  });
}

function episodesSection({ ledger, guard }: Analysis): Section {
  return section("episodes-read", "Episodes", {
    tables: [
      ledgerTable(ledger),
      endsTable(ledger),
      infrastructureTable(ledger),
      guardTable(guard, ledger),
      peeksTable(guard, ledger),
    ],
  });
}

function powerSection({ power, ledger }: Analysis): Section {
  return section("power", "How many more", { tables: [power && powerTable(power, ledger)] });
}

function provenanceSection({ provenance, ledger }: Analysis): Section {
  return section("provenance", "What was read", {
    tables: [provenanceTable(provenance, ledger), imagesTable(provenance, ledger)],
  });
}
