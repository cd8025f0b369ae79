import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RunConfig } from "../domain/config/run-config.ts";
import { PmcoderError } from "../domain/errors.ts";
import { imageOf } from "../environments/docker-image.ts";
import { findRepository, type Repository, readableFolder } from "../environments/workspace.ts";
import { chooseEnvironment, type Kind } from "./choose-environment.ts";
import { gatherSettings } from "./config-file.ts";
import type { Io } from "./io.ts";
import { noModelMessage } from "./keys.ts";
import { mergeConfig } from "./merge-config.ts";
import { type Arming, armingOf } from "./repro-arming.ts";
import type { RunFlags } from "./run-command.ts";
import { armName, settingsOfFlags } from "./run-settings.ts";
import { readTask, type Task } from "./task-source.ts";
import { root } from "./version.ts";

/** Where a run works: on a copy of a repository of this machine, or in a container. */
export type Site =
  | { readonly kind: "bubblewrap" | "local"; readonly repository: Repository }
  /** On no copy, but in the folder itself, which need not be a repository. */
  | { readonly kind: "local"; readonly repository: Repository; readonly inPlace: true }
  /** `repository` null: the image has it, at /testbed. */
  | { readonly kind: "docker"; readonly image: string; readonly repository: Repository | null };

/** Everything that is decided before anything is opened. */
export interface RunPlan {
  readonly config: RunConfig;
  readonly task: Task;
  readonly site: Site;
  /** The reproduction script of the run, if there is one. */
  readonly arming?: Arming;
  /** The user named a cost limit, so an unknown price must not pass in silence. */
  readonly costLimitGiven: boolean;
  /** Memories across issues are read and learn nothing. */
  readonly isEvaluation?: boolean;
}

/** Where an instance's repository stands, by the convention of SWE-bench images. */
const instanceRepository = "/testbed";

/** Reads flags, configuration, issue and repository. Throws PmcoderError `usage`. */
export async function planRun(text: string | undefined, flags: RunFlags, io: Io): Promise<RunPlan> {
  const { config: given, sources } = mergeConfig(
    gatherSettings({
      env: io.env,
      cwd: io.cwd,
      arguments: [...(flags.arm === undefined ? [] : [armFile(flags.arm)]), ...flags.config],
      flags: settingsOfFlags(flags),
    }),
  );
  const arm = armName(sources.has("arm") ? given.arm : armOf(given), flags);
  const config = { ...given, arm, experience: fromHere(given, io) };
  if (config.model.name === null) throw new PmcoderError("usage", noModelMessage(io.env));
  const { issue, instance, dataset, task: taskFile } = flags;
  const task = await readTask({ text, issue, instance, dataset, task: taskFile }, io);
  const image = config.environment.image ?? (task.kind === "instance" ? imageOf(task.row) : null);
  const kind = await chooseEnvironment(config.environment, image);
  const isInPlace = config.environment.copy === "none";
  const site = isInPlace
    ? await placeItself(kind, task, flags, io.cwd)
    : await siteOf(kind, image, flags, io.cwd);
  const arming = armingOf(task, flags, { config, kind, cwd: io.cwd });
  return { config, task, site, arming, costLimitGiven: sources.has("agent.costLimit") };
}

/** A run that goes on is perhaps resumed from elsewhere, so its bank is named by its whole path. */
function fromHere({ experience }: RunConfig, { cwd }: Io): RunConfig["experience"] {
  const { bank } = experience;
  return bank === null ? experience : { ...experience, bank: resolve(cwd, bank) };
}

/** A workflow of another system is no arm of the loop. */
const armOf = ({ arm, workflow }: RunConfig) => (workflow.name === "pmcoder" ? arm : workflow.name);

/** The settings of an arm: one that travels with pmcoder by its name, else a file of the user's. */
export function armFile(arm: string): string {
  const own = join(root, "eval", "arms", `${arm}.yaml`);
  return /^[a-z-]+$/.test(arm) && existsSync(own) ? own : arm;
}

/** A folder to work in as it is. Throws PmcoderError `usage` where that could harm a repository. */
async function placeItself(
  kind: Kind,
  task: Task,
  { repo }: Pick<RunFlags, "repo">,
  cwd: string,
): Promise<Site> {
  if (kind !== "local" || task.kind !== "task") {
    throw new PmcoderError(
      "usage",
      "--copy none works in the folder itself: only a task may, on a machine that is there for it alone. Give --task FILE and --environment local.",
    );
  }
  const top = await readableFolder(resolve(cwd, repo ?? "."));
  return { kind, repository: { top, sub: "" }, inPlace: true };
}

/** Where a run of this kind works. Throws PmcoderError `usage` when there is no such place. */
export async function siteOf(
  kind: Kind,
  image: string | null,
  flags: Pick<RunFlags, "repo" | "instance">,
  cwd: string,
): Promise<Site> {
  if (kind !== "docker") {
    return { kind, repository: await findRepository(repositoryPath(flags, kind, cwd)) };
  }
  if (image === null) {
    throw new PmcoderError("usage", "--environment docker wants --image NAME, or an instance.");
  }
  const inImage = flags.repo === undefined && flags.instance !== undefined;
  const repository = inImage ? null : await findRepository(resolve(cwd, flags.repo ?? "."));
  return { kind, image, repository };
}

function repositoryPath(
  { repo, instance }: Pick<RunFlags, "repo" | "instance">,
  kind: Kind,
  cwd: string,
): string {
  if (repo !== undefined) return resolve(cwd, repo);
  if (instance === undefined) return cwd;
  if (kind === "local") {
    throw new PmcoderError(
      "usage",
      "--instance in the environment local wants --repo DIR: name the folder with the instance's repository.",
    );
  }
  return instanceRepository;
}
