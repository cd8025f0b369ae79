import { setTimeout as sleep } from "node:timers/promises";
import { PmcoderError } from "../domain/errors.ts";
import { type Engine, reasonOf, statusOf } from "./docker-engine.ts";
import { platformOf, withTag } from "./docker-image.ts";

export interface PullOptions {
  readonly image: string;
  readonly timeoutSec: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress: (line: string) => void;
  /** Seconds before each further try where the registry is busy. */
  readonly delaysSec?: readonly number[];
}

/** Registries count in minutes: the sum of these is five. */
const DELAYS_SEC = [5, 15, 40, 80, 160];

/**
 * Makes sure that the engine has the image: its own if there, else a registry's. Throws PmcoderError
 * `image_missing` when there is none, it may not be had, or it does not come in time.
 */
export async function ensureImage(engine: Engine, options: PullOptions): Promise<void> {
  const image = withTag(options.image);
  const here = await engine.docker
    .getImage(image)
    .inspect()
    .then(
      () => true,
      (error: unknown) => {
        if (statusOf(error) === 404) return false;
        throw lost(engine, error);
      },
    );
  if (here) return;
  options.onProgress(`pulling ${image}`);
  const limit = AbortSignal.timeout(options.timeoutSec * 1000);
  const { signal } = options;
  const until = signal ? AbortSignal.any([signal, limit]) : limit;
  try {
    await pullPatiently(engine, { ...options, image, signal: until });
  } catch (error) {
    if (signal?.aborted) throw interrupted(error);
    throw limit.aborted ? late(image, options.timeoutSec, error) : error;
  }
}

async function pullPatiently(engine: Engine, options: PullOptions): Promise<void> {
  const { image, signal, onProgress } = options;
  for (const delay of [...(options.delaysSec ?? DELAYS_SEC), null]) {
    try {
      await pullOnce(engine, options);
      return;
    } catch (error) {
      signal?.throwIfAborted();
      const said = reasonOf(error);
      if (!isBusy(error, said)) throw missing(image, said, error);
      if (delay === null) throw refused(image, said, error);
      onProgress(`the registry is busy (${said}); next try in ${delay} s`);
      await sleep(delay * 1000, undefined, { signal });
    }
  }
}

/** Engines pass a registry's 429 on as a 500 with its words, or as an error within the stream. */
function isBusy(error: unknown, said: string): boolean {
  const passing =
    /toomanyrequests|too many requests|handshake timeout|i\/o timeout|unexpected EOF|connection reset|bad gateway|service unavailable/i;
  return statusOf(error) === 429 || passing.test(said);
}

interface PullEvent {
  readonly id?: string;
  readonly error?: string;
  readonly progressDetail?: { readonly current?: number; readonly total?: number };
}

/** Milliseconds between two lines of progress. */
const TELL_MS = 1000;

async function pullOnce({ docker }: Engine, options: PullOptions): Promise<void> {
  const { image, signal, onProgress } = options;
  const platform = platformOf(image);
  const stream = await docker.pull(image, {
    ...(platform === undefined ? {} : { platform }),
    ...(signal === undefined ? {} : { abortSignal: signal }),
  });
  const layers = new Map<string, { readonly current: number; readonly total: number }>();
  let told = performance.now();
  for await (const event of eventsOf(stream)) {
    if (event.error !== undefined) throw new Error(event.error);
    const { current, total } = event.progressDetail ?? {};
    if (event.id === undefined || current === undefined || total === undefined) continue;
    layers.set(event.id, { current, total });
    if (performance.now() - told < TELL_MS) continue;
    told = performance.now();
    onProgress(`pulling ${image}: ${progressOf([...layers.values()])}`);
  }
}

function progressOf(layers: readonly { readonly current: number; readonly total: number }[]) {
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  const current = layers.reduce((sum, layer) => sum + layer.current, 0);
  const total = layers.reduce((sum, layer) => sum + layer.total, 0);
  return `${megabytes(current)} of ${megabytes(total)} MB in ${layers.length} layers`;
}

/** One JSON object a line, however the lines are cut into chunks. */
async function* eventsOf(stream: NodeJS.ReadableStream): AsyncGenerator<PullEvent> {
  let rest = "";
  stream.setEncoding("utf8");
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") yield JSON.parse(line) as PullEvent;
  }
  if (rest.trim() !== "") yield JSON.parse(rest) as PullEvent;
}

function missing(image: string, said: string, cause: unknown): PmcoderError {
  return new PmcoderError(
    "image_missing",
    `The image ${image} is not here and cannot be pulled: ${said}. Check its name (--image), log in if it is private (docker login), or load it (docker load).`,
    { cause },
  );
}

function refused(image: string, said: string, cause: unknown): PmcoderError {
  return new PmcoderError(
    "image_missing",
    `The image ${image} is not here, and its registry is still too busy to give it: ${said}. Log in for a higher limit (docker login), or try later.`,
    { cause },
  );
}

function late(image: string, seconds: number, cause: unknown): PmcoderError {
  return new PmcoderError(
    "image_missing",
    `The image ${image} did not come within ${seconds} s. Pull it first (docker pull ${image}), or allow more with -c environment.pullTimeoutSec=SECONDS.`,
    { cause },
  );
}

function interrupted(cause: unknown): PmcoderError {
  return new PmcoderError("interrupted", "Interrupted before the container was ready.", { cause });
}

function lost({ address }: Engine, cause: unknown): PmcoderError {
  return new PmcoderError(
    "environment_lost",
    `The Docker engine at ${address} failed: ${reasonOf(cause)}. See that it runs: docker info`,
    { cause },
  );
}
