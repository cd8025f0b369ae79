import { RunConfig } from "../../domain/config/run-config.ts";
import { bytes, plural } from "../../domain/quantities.ts";
import type { Engine } from "../../environments/docker-engine.ts";
import { findImage, imageBytes } from "../../environments/docker-images.ts";
import { ensureImage } from "../../environments/docker-pull.ts";
import { datasetsFolder } from "../../eval/dataset-place.ts";
import { fetchVerified, verifiedUrl } from "../../eval/fetch-verified.ts";
import { openMemoryQueue } from "../../store/queue-memory.ts";
import { systemClock } from "../compose.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { inSession, type Session } from "../session.ts";
import type { EvalFetchImagesFlags } from "./command.ts";
import { openEngine } from "./engine.ts";
import { planExperiment } from "./plan.ts";
import { surveyJobs } from "./survey.ts";
import { venueFinder } from "./venue.ts";

/** Between two lines of progress. */
const tellMs = 1000;

/** `pmcoder eval fetch verified`: downloads SWE-bench Verified once. Returns the exit status. */
export function fetchDataset({ json }: { readonly json?: true }, io: Io): Promise<ExitCode> {
  return inSession<ExitCode>(io, async ({ interruption: { signal } }) => {
    let told = 0;
    const onProgress = (got: number, total: number | null) => {
      if (performance.now() - told < tellMs) return;
      told = performance.now();
      io.stderr.write(`${bytes(got)}${total === null ? "" : ` of ${bytes(total)}`}\n`);
    };
    const folder = datasetsFolder(io.env);
    const { now } = systemClock;
    const fetched = await fetchVerified({ url: verifiedUrl, folder, now, signal, onProgress });
    const { file, isNew, record } = fetched;
    if (json) io.stdout.write(`${JSON.stringify(fetched)}\n`);
    const rows = record === null ? "" : `, ${plural(record.rows, "row")}, SHA-256 ${record.sha256}`;
    io.stderr.write(`${isNew ? "fetched" : "already there"}: ${file}${rows}\n`);
    for (const fault of record?.faults ?? []) io.stderr.write(`left out: ${fault}\n`);
    return 0;
  });
}

/**
 * `pmcoder eval fetch images`: pulls the images of an experiment ahead, in the order in which they
 * are needed, until they are there or the image cache is full. Returns 1 when one cannot be had.
 */
export function fetchImages(file: string, flags: EvalFetchImagesFlags, io: Io): Promise<ExitCode> {
  return inSession(io, async (session) => {
    const plan = await planExperiment(file, { ...flags, environment: "docker" }, io);
    const { images } = await surveyJobs(plan.jobs, plan, venueFinder());
    const engine = await openEngine(io.env);
    const limit = flags.imageCache ?? plan.experiment.imageCache;
    return pullAll([...images.keys()], { engine, limit, parallel: flags.parallel ?? 2 }, session);
  });
}

interface Pulling {
  readonly engine: Engine;
  /** Bytes of images. */
  readonly limit: number;
  readonly parallel: number;
}

async function pullAll(
  images: readonly string[],
  { engine, limit, parallel }: Pulling,
  { io, interruption: { signal } }: Session,
): Promise<ExitCode> {
  const full = new AbortController();
  const queue = openMemoryQueue(systemClock, { maxAttempts: 1 });
  await queue.enqueue(images.map((image) => ({ id: image, payload: null })));
  const tell = (line: string) => void io.stderr.write(`${line}\n`);
  const { pullTimeoutSec: timeoutSec } = RunConfig.parse({}).environment;
  let pulled = 0;
  const pull = async (image: string) => {
    const isHere = (await findImage(engine, image)) !== null;
    if (!isHere) await ensureImage(engine, { image, timeoutSec, signal, onProgress: tell });
    pulled += 1;
    tell(`${pulled}/${images.length}  ${image}  ${isHere ? "was here" : "pulled"}`);
    if ((await imageBytes(engine)) > limit) full.abort();
  };
  const drain = AbortSignal.any([signal, full.signal]);
  await queue.work(({ id }) => pull(id), { concurrency: Math.max(1, parallel), drain });
  signal.throwIfAborted();
  const results = await queue.results();
  for (const result of results) if (result.state === "failed") tell(result.error);
  const { waiting, failed } = await queue.counts();
  if (waiting > 0) {
    tell(
      `${plural(waiting, "image")} not pulled: the engine's images take more than ${bytes(limit)} (--image-cache).`,
    );
  }
  return failed > 0 ? 1 : 0;
}
