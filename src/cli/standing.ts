import { RunConfig } from "../domain/config/run-config.ts";
import type { ExitStatus, RecordedEvent } from "../domain/episode.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { IssueIdentity } from "../domain/experience.ts";
import { isRedacted } from "../domain/redact.ts";
import type { Reproducer } from "../domain/reproducer.ts";
import { type BaseRecord, type LimitsRecord, pauses, type SiteRecord } from "../domain/site.ts";

/** A run as its events leave it, as far as another process must know to go on with it. */
export interface Standing {
  readonly run: string;
  readonly instanceId: string | null;
  readonly task: string;
  readonly wantsPatch: boolean;
  readonly config: RunConfig;
  /** Variables of commands that the record does not have, because they are secrets. */
  readonly withheld: readonly string[];
  readonly kind: "docker" | "bubblewrap" | "local";
  readonly workdir: string;
  readonly reproducer: Reproducer | null;
  /** What memories across issues want to know; null: it was not recorded. */
  readonly origin: Pick<IssueIdentity, "repo" | "createdAt"> | null;
  readonly base: BaseRecord;
  readonly site: SiteRecord;
  /** How its newest process ended; null: it was killed. */
  readonly ended: ExitStatus | null;
  /** Commands started so far. */
  readonly commands: number;
  /** The newest state that was saved. */
  readonly savedTree: string | null;
}

const kinds = ["docker", "bubblewrap", "local"] as const;

/** Throws PmcoderError `usage` when the events are not those of a run that can be taken up. */
export function standingOf(run: string, events: readonly RecordedEvent[]): Standing {
  const begin = events.find((event) => event.type === "begin");
  const newest = events.findLast((event) => event.type === "begin" || event.type === "resume");
  const kind = kinds.find((known) => known === begin?.environment.kind);
  if (!begin || !newest?.site || kind === undefined) {
    throw new PmcoderError(
      "usage",
      `Run ${run} does not say where its work stands, so it cannot go on: it was recorded by an older pmcoder.`,
    );
  }
  if (begin.config.environment.copy === "none") {
    throw new PmcoderError(
      "usage",
      `Run ${run} worked in ${newest.site.repository} itself, where its work stands. Start it anew to go on from there.`,
    );
  }
  const last = events.at(-1);
  const { config, withheld } = withoutMarks(configOf(run, begin.config));
  return {
    run,
    instanceId: begin.instanceId,
    task: begin.task,
    wantsPatch: begin.wantsPatch,
    config: withLimits(config, limitsIn(events)),
    withheld,
    kind,
    workdir: begin.environment.workdir,
    reproducer: begin.reproducer ?? null,
    origin: begin.origin ?? null,
    base: newest.base,
    site: newest.site,
    ended: last?.type === "end" ? last.status : null,
    commands: events.filter(({ type }) => type === "command").length,
    savedTree: events.findLast((event) => event.type === "snapshot")?.tree ?? null,
  };
}

/** Settings that came with a newer pmcoder have their defaults. */
function configOf(run: string, recorded: unknown): RunConfig {
  const { success, data, error } = RunConfig.safeParse(recorded);
  if (success) return data;
  const issue = error.issues[0];
  throw new PmcoderError(
    "usage",
    `Run ${run} was recorded by a pmcoder with other settings (${issue?.path.join(".")}: ${issue?.message}), so it cannot go on here. Use that version.`,
  );
}

/** A mark that stands for a secret must not be handed to commands as if it were the value. */
function withoutMarks(config: RunConfig): Pick<Standing, "config" | "withheld"> {
  const variables = Object.entries(config.environment.env);
  const withheld = variables.filter(([, value]) => isRedacted(value)).map(([name]) => name);
  const env = Object.fromEntries(variables.filter(([name]) => !withheld.includes(name)));
  return { config: { ...config, environment: { ...config.environment, env } }, withheld };
}

/** What the user must know of a run whose commands had secrets in their variables. */
export function withheldNotices({ withheld }: Standing): readonly string[] {
  if (withheld.length === 0) return [];
  const names = withheld.join(", ");
  return [
    `Not set for commands from here on: ${names}. No record keeps secrets, so their values are gone.`,
  ];
}

function limitsIn(events: readonly RecordedEvent[]): LimitsRecord {
  const given = events.flatMap((event) => (event.type === "resume" ? [event.limits] : []));
  return Object.assign({}, ...given);
}

export function withLimits(config: RunConfig, limits: LimitsRecord): RunConfig {
  return { ...config, agent: { ...config.agent, ...limits } };
}

/** Ends that another process can go on from: with what is given, or once something is mended. */
const open: readonly (ExitStatus | null)[] = [null, ...pauses, "image_missing"];

/** Whether another process can go on from such an end as it is; null: the run was killed. */
export const isOpen = (ended: ExitStatus | null): boolean => open.includes(ended);

/** The limit of each end that a higher one lifts. */
const lifts: Partial<Record<ExitStatus, keyof LimitsRecord>> = {
  step_limit: "stepLimit",
  cost_limit: "costLimit",
  time_limit: "timeLimitSec",
};

const flags: Record<keyof LimitsRecord, string> = {
  stepLimit: "--step-limit",
  costLimit: "--cost-limit",
  timeLimitSec: "--time-limit",
};

/** What `pmcoder resume` has to be given after such an end; null: nobody can go on. */
export function resumeFlag(ended: ExitStatus): string | null {
  if (isOpen(ended)) return "";
  const limit = lifts[ended];
  return limit === undefined ? null : `${flags[limit]} N`;
}

/** Whether nobody can go on from such an end, whatever is given. */
export const isFinal = (ended: ExitStatus): boolean => resumeFlag(ended) === null;

/** Throws PmcoderError `usage` when a run has ended for good, or would end again at once. */
export function refuseEnded({ run, ended, config }: Standing, limits: LimitsRecord): void {
  if (isOpen(ended) || ended === null) return;
  const limit = lifts[ended];
  const before = limit === undefined ? 0 : (config.agent[limit] ?? 0);
  if (limit !== undefined && (limits[limit] ?? 0) > before) return;
  const advice =
    limit === undefined
      ? "There is nothing to go on with; start a new run."
      : `Give it a higher one than ${before} to go on: pmcoder resume ${run} ${flags[limit]} N`;
  throw new PmcoderError("usage", `Run ${run} has ended: ${ended}. ${advice}`);
}
