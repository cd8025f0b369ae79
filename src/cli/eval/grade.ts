import { RunConfig } from "../../domain/config/run-config.ts";
import { PmcoderError } from "../../domain/errors.ts";
import { plural } from "../../domain/quantities.ts";
import type { Grading } from "../../eval/batch/grader.ts";
import { parseSelection } from "../../eval/experiment/select.ts";
import { consentFor } from "../choose-environment.ts";
import { systemClock } from "../compose.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { inSession, type Session } from "../session.ts";
import type { EvalGradeFlags } from "./grade-command.ts";
import { experimentSource } from "./grade-experiment.ts";
import { goldModel, type ProbedInstance, probeInstances } from "./grade-gold.ts";
import {
  type GradedItem,
  type GradeParts,
  gradeItems,
  itemsOf,
  regradeItems,
  type ToldGrading,
} from "./grade-models.ts";
import { findOfficial, gradeOfficially, type Official } from "./grade-official.ts";
import { reportLine, writeReport } from "./grade-reports.ts";
import { type GradedModel, type GradingSource, predictionsSource } from "./grade-source.ts";
import { GradeTeller } from "./grade-teller.ts";
import { spotOf } from "./grade-testbeds.ts";
import { harnessParts } from "./grader.ts";

/** What is graded, how, and for whom. */
interface Work {
  readonly source: GradingSource;
  readonly flags: EvalGradeFlags;
  readonly session: Session;
  readonly isWanted: (instance: string) => boolean;
  /** null: pmcoder's own harness. */
  readonly official: Official | null;
  readonly teller: GradeTeller;
}

/** `pmcoder eval grade`. Returns 1 when something came to no verdict, or the grader is not sound. */
export function gradeAll(
  folder: string | undefined,
  flags: EvalGradeFlags,
  io: Io,
): Promise<ExitCode> {
  return inSession<ExitCode>(io, async (session) => {
    const official = await officialOf(flags, io);
    const source = await sourceOf(folder, flags, official, session);
    const { filter } = parseSelection(flags, { arms: [], seeds: [] });
    const isWanted = (instance: string) => filter?.test(instance) ?? true;
    const items = itemsOf(source, isWanted);
    const teller = new GradeTeller(io, flags.json ?? false, items.length);
    const work = { source, flags, session, isWanted, official, teller };
    const isGraded = items.length === 0 || (await gradeModels(items, work));
    const isSound = !flags.gold || (await checkGrader(work));
    return isGraded && isSound ? 0 : 1;
  });
}

/** To judge stored logs nobody else's harness is needed. */
async function officialOf(flags: EvalGradeFlags, io: Io): Promise<Official | null> {
  const isOfficial = flags.harness === "official" && !flags.regrade;
  return isOfficial ? findOfficial(flags.python, io) : null;
}

async function sourceOf(
  folder: string | undefined,
  flags: EvalGradeFlags,
  official: Official | null,
  session: Session,
): Promise<GradingSource> {
  const source = await (folder === undefined
    ? predictionsSource(flags, session.io)
    : experimentSource(folder, flags, session));
  return official === null ? source : { ...source, generation: official.generation };
}

/** Grades predictions and writes their reports. Returns whether each came to a verdict. */
async function gradeModels(items: readonly GradedItem[], work: Work): Promise<boolean> {
  const { source, teller } = work;
  const graded = new Map<GradedModel, Map<string, Grading>>();
  let verdicts = 0;
  const tell = (told: ToldGrading) => {
    const { item, grading } = told;
    teller.graded(told);
    source.keep(item.model, item.instance, grading);
    const own = graded.get(item.model) ?? new Map<string, Grading>();
    graded.set(item.model, own.set(item.instance, grading));
    if (grading.resolved !== null) verdicts += 1;
  };
  await gradeBy(items, tell, work);
  teller.restored();
  for (const model of source.models) {
    const own = graded.get(model);
    if (own) report(model, own, work);
  }
  if (verdicts < items.length) {
    teller.say(`${items.length - verdicts} without a verdict; the same command tries them again`);
  }
  return verdicts === items.length;
}

async function gradeBy(
  items: readonly GradedItem[],
  tell: GradeParts["tell"],
  work: Work,
): Promise<void> {
  const { source, flags, session, official } = work;
  const { io, interruption } = session;
  const { signal } = interruption;
  if (official !== null) {
    const workers = flags.workers ?? usualWorkers;
    return gradeOfficially(items, { source, official, workers, signal, io, tell });
  }
  if (flags.regrade) return regradeItems(items, { harness: harnessOf(work, false), signal, tell });
  return gradeItems(items, { ...(await ownParts(items, work)), tell });
}

/** Our choice: the official default. */
const usualWorkers = 4;

/** What running tests here wants, the consent to do so without a sandbox included. */
async function ownParts(
  about: readonly Pick<GradedItem, "row" | "repository">[],
  work: Work,
): Promise<Omit<GradeParts, "tell">> {
  const { source, flags, session } = work;
  const { signal } = session.interruption;
  const mayRunLocally = await consentTo(about, work);
  return {
    source,
    harness: harnessOf(work, mayRunLocally),
    workers: flags.workers ?? usualWorkers,
    clock: systemClock,
    signal,
  };
}

function harnessOf({ source, flags, session, teller }: Work, mayRunLocally: boolean) {
  const { generation, timeoutSec, folder } = source;
  const { environment: kind = null, network = "on", cache: reuses } = flags;
  return harnessParts(
    { generation, timeoutSec, kind, network, reuses },
    { io: session.io, folder, mayRunLocally, tell: (line) => teller.say(line) },
  );
}

/** Whether tests may run without a sandbox. Throws PmcoderError `usage` when nobody can be asked. */
async function consentTo(
  about: readonly Pick<GradedItem, "row" | "repository">[],
  { flags, session: { io, interruption } }: Work,
): Promise<boolean> {
  const { environment } = RunConfig.parse({});
  const config = { ...environment, kind: flags.environment ?? null };
  for (const { row, repository } of about) {
    const { kind } = await spotOf(row, repository, config);
    if (kind !== "local") continue;
    const approve = consentFor({ kind, yes: flags.yes, io, signal: interruption.signal });
    if (await approve(`the tests of ${about.length} patches`)) return true;
    throw new PmcoderError("interrupted", "Not started.");
  }
  return false;
}

function report(model: GradedModel, graded: ReadonlyMap<string, Grading>, work: Work): void {
  const written = writeReport(work.source, model, graded);
  work.teller.reported(model, written, reportLine(model, written));
}

/** Gold patches must resolve, untouched bases must not. Returns whether all is so. */
async function checkGrader(work: Work): Promise<boolean> {
  const { source, isWanted, teller } = work;
  const probed = await probe(work);
  const graded = probed.flatMap(({ probe: what, instance, grading }) =>
    what === "gold" ? [[instance, grading] as const] : [],
  );
  report(goldModel(source, isWanted), new Map(graded), work);
  const asksBases = probed.some(({ probe: what }) => what !== "gold");
  const unsound = probed.filter(({ isSound }) => !isSound);
  const named = unsound.map(({ probe: what, instance }) => `${what} ${instance}`);
  teller.say(
    unsound.length === 0
      ? `the grader is sound on ${plural(graded.length, "instance")}: gold patches resolve${asksBases ? ", untouched bases do not" : ""}`
      : `NOT sound: ${named.join(", ")}`,
  );
  return unsound.length === 0;
}

/** The official harness, and stored logs, are asked about gold patches alone. */
async function probe(work: Work): Promise<readonly ProbedInstance[]> {
  const { source, flags, isWanted, official, teller } = work;
  if (official === null && !flags.regrade) {
    const parts = await ownParts([...source.instances.values()], work);
    return probeInstances({ ...parts, isWanted, tell: (one) => teller.probed(one) });
  }
  const gold = { ...source, models: [goldModel(source, isWanted)] };
  const probed: ProbedInstance[] = [];
  const tell = ({ item: { instance }, grading }: ToldGrading) => {
    const one = { instance, probe: "gold", grading, isSound: grading.resolved === true } as const;
    probed.push(one);
    source.keepGold(instance, grading);
    teller.probed(one);
  };
  await gradeBy(itemsOf(gold, isWanted), tell, { ...work, source: gold });
  return probed;
}
