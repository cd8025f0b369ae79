import { randomBytes, randomUUID } from "node:crypto";
import type Docker from "dockerode";
import type { RunConfig } from "../domain/config/run-config.ts";
import type { Environment } from "../domain/environment.ts";
import { PmcoderError } from "../domain/errors.ts";
import { childVariables, type Variables } from "./child-variables.ts";
import { execChannel } from "./docker-channel.ts";
import { removeContainer } from "./docker-clean.ts";
import { connectEngine, type Engine, reasonOf, statusOf } from "./docker-engine.ts";
import { labelsOf, thisOwner } from "./docker-labels.ts";
import { endReason } from "./docker-loss.ts";
import { ensureImage } from "./docker-pull.ts";
import { layRepository } from "./docker-repository.ts";
import { remoteSpool } from "./docker-spool.ts";
import { takeOver } from "./docker-takeover.ts";
import { residentEnvironment } from "./resident-environment.ts";
import { Supervisor } from "./supervisor.ts";
import { SUPERVISOR_ARGV } from "./supervisor-program.ts";

export interface DockerOptions {
  readonly image: string;
  /** Id of the run, for the container's labels. */
  readonly run: string;
  /** Of the container; made up from the run if not given. */
  readonly name?: string | undefined;
  /** Where the repository stands and commands start; /testbed if not given. */
  readonly workdir?: string | undefined;
  /** Folder of this machine whose content is laid at `workdir`; null: the image has it there. */
  readonly repository: string | null;
  readonly config: RunConfig["environment"];
  /** The caller's environment: where the engine is. None of it reaches the container. */
  readonly env: Variables;
  /** Ends the opening; what was made by then is removed. */
  readonly signal?: AbortSignal | undefined;
  /** Takes a line for people: of a pull, or of a container that could not be removed. */
  readonly onProgress?: ((line: string) => void) | undefined;
  /** Takes what the user should know of the image before a command runs in it. */
  readonly onNotice?: ((text: string) => void) | undefined;
}

/** Commands empty /tmp; this lasts as long as the container. */
const LASTING = "/var/tmp";
/** Not under /tmp, which commands empty; everybody may write here, whoever the image's user is. */
const SPOOL = "/var/tmp/.pmcoder";

/** A name for the container of a run that no other has. */
export function containerNameOf(run: string): string {
  return `pmcoder-${run}-${randomBytes(3).toString("hex")}`;
}

/**
 * Runs commands in a container of its own, through one shell that stays attached. Without network
 * unless configured, with limits on memory and processes, removed at close. Throws PmcoderError
 * `image_missing`, `environment_lost` when there is no engine or no shell, `interrupted` when the
 * signal came first, and `usage` when the repository cannot be read; then no container is left.
 */
export async function openDocker(options: DockerOptions): Promise<Environment> {
  const { onProgress = () => {} } = options;
  const engine = await readyImage(options);
  const { name = containerNameOf(options.run) } = options;
  const remove = async () => {
    const failure = await removeContainer(engine, name);
    if (failure !== null) onProgress(failure);
  };
  try {
    const container = await startContainer(engine, name, options);
    refuseAborted(options.signal);
    return await enter(engine, container, options, remove);
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * The engine, with the image there, pulled if need be. Throws PmcoderError `environment_lost`,
 * `image_missing`, `interrupted`.
 */
export async function readyImage(
  options: Pick<DockerOptions, "image" | "config" | "env" | "signal" | "onProgress">,
): Promise<Engine> {
  const { image, config, signal, onProgress = () => {} } = options;
  const engine = await connectEngine(options.env);
  await ensureImage(engine, { image, timeoutSec: config.pullTimeoutSec, signal, onProgress });
  refuseAborted(signal);
  return engine;
}

/**
 * Goes on in the container that a dead process of this machine has left, which is renamed after
 * its new owner. null when it does not run any more, is not this machine's to take, or starts no
 * shell, whereupon it is removed.
 */
export async function reenterDocker(
  left: string,
  options: Omit<DockerOptions, "repository" | "name"> & {
    /** Number of the next command's output. */
    readonly first: number;
  },
): Promise<{ readonly environment: Environment; readonly name: string } | null> {
  const { onProgress = () => {} } = options;
  const engine = await connectEngine(options.env);
  const name = await takeOver(engine, left);
  if (name === null) return null;
  const remove = async () => {
    const failure = await removeContainer(engine, name);
    if (failure !== null) onProgress(failure);
  };
  const container = engine.docker.getContainer(name);
  try {
    const resident = { ...options, repository: null };
    return { name, environment: await attend(engine, container, resident, remove) };
  } catch (error) {
    onProgress(`The container ${name} cannot be used any more: ${reasonOf(error)}`);
    await remove();
    return null;
  }
}

async function enter(
  engine: Engine,
  container: Docker.Container,
  options: DockerOptions,
  remove: () => Promise<void>,
): Promise<Environment> {
  const { env, repository: from, workdir: to = WORKDIR, signal } = options;
  if (from !== null) await layRepository(container, { from, to, env });
  refuseAborted(signal);
  const environment = await attend(engine, container, { ...options, first: 1 }, remove);
  if (!(await hasBash(environment))) {
    options.onNotice?.(
      `The image ${options.image} has no bash: commands run in its sh, where those written for bash may fail.`,
    );
  }
  return environment;
}

async function hasBash(environment: Environment): Promise<boolean> {
  const asked = '[ "$BASH_VERSION" ]';
  const { exitCode } = await environment.execute(asked, { timeoutSec: 60, errand: true });
  return exitCode === 0;
}

/** Starts the shell that stays, and with it the environment. */
async function attend(
  engine: Engine,
  container: Docker.Container,
  { config, image, workdir = WORKDIR, first }: DockerOptions & { readonly first: number },
  remove: () => Promise<void>,
): Promise<Environment> {
  const argv = ["sh", "-c", `${USE_BASH_ENV}; ${SUPERVISOR_ARGV.at(-1)}`];
  const env = childVariables({}, config.env);
  const channel = await execChannel(engine, container, { argv, env }).catch(async (cause) => {
    const ended = await endReason(engine, container).catch(() => null);
    throw refusal(image, ended === null ? cause : new Error(ended, { cause }));
  });
  const program = { workdir, folder: SPOOL, mark: randomUUID() };
  const supervisor = await Supervisor.start(channel, program).catch((cause: unknown) => {
    throw refusal(image, cause);
  });
  return residentEnvironment({
    kind: "docker",
    workdir,
    records: LASTING,
    supervisor,
    spool: remoteSpool(supervisor),
    folder: SPOOL,
    first,
    config,
    onClose: remove,
  });
}

const WORKDIR = "/testbed";

/** Images with conda activate it there, for shells that are interactive, which commands' are not. */
const USE_BASH_ENV = '[ -z "$BASH_ENV" ] && [ -r /root/.bashrc ] && export BASH_ENV=/root/.bashrc';

async function startContainer(
  { docker }: Engine,
  name: string,
  { image, run, workdir = WORKDIR, config }: DockerOptions,
): Promise<Docker.Container> {
  try {
    const container = await docker.createContainer({
      name,
      Image: image,
      Labels: labelsOf(run, await thisOwner()),
      Entrypoint: ["sh", "-c"],
      Cmd: [`exec sleep ${config.containerLifeSec}`],
      WorkingDir: workdir,
      HostConfig: {
        Init: true,
        AutoRemove: true,
        ...(config.network === "off" ? { NetworkMode: "none" } : {}),
        ...limitsOf(config),
      },
    });
    await container.start();
    return container;
  } catch (cause) {
    throw refusal(image, cause);
  }
}

const CPU_PERIOD_MICROSECONDS = 100_000;

/** CPU as a quota: unlike `NanoCpus` it may exceed what the engine's machine has. */
function limitsOf({ memoryBytes, cpus, processes }: RunConfig["environment"]) {
  return {
    ...(memoryBytes === null ? {} : { Memory: memoryBytes, MemorySwap: memoryBytes }),
    ...(processes === null ? {} : { PidsLimit: processes }),
    ...(cpus === null
      ? {}
      : {
          CpuPeriod: CPU_PERIOD_MICROSECONDS,
          CpuQuota: Math.round(cpus * CPU_PERIOD_MICROSECONDS),
        }),
  };
}

function refuseAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new PmcoderError("interrupted", "Interrupted before the container was ready.");
}

function refusal(image: string, cause: unknown): unknown {
  const reason = reasonOf(cause);
  if (/executable file not found|no such file|status 127/.test(reason)) {
    return new PmcoderError(
      "environment_lost",
      `Expected a POSIX shell and sleep in the image ${image}, but one is missing (${reason}), so no command can run in it. Use an image that has them.`,
      { cause },
    );
  }
  if (cause instanceof PmcoderError) return cause;
  const code = statusOf(cause) === 404 ? "image_missing" : "environment_lost";
  return new PmcoderError(
    code,
    `A container of the image ${image} could not be started: ${reason}. See what the engine says of it: docker run --rm ${image} true`,
    { cause },
  );
}
