import { randomBytes } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunConfig } from "../../domain/config/run-config.ts";
import type { Environment } from "../../domain/environment.ts";
import { PmcoderError } from "../../domain/errors.ts";
import { imageOf } from "../../environments/docker-image.ts";
import { removeFolder } from "../../environments/remove-folder.ts";
import { layOutRepository } from "../../eval/dataset-repository.ts";
import type { DatasetRow } from "../../eval/dataset-row.ts";
import type { Testbed, TestbedOf } from "../../eval/harness/testbed.ts";
import { chooseEnvironment, type Kind } from "../choose-environment.ts";
import { composePlace } from "../compose-place.ts";
import type { Io } from "../io.ts";
import { statePlace } from "../places.ts";
import { outputsIn } from "../run-outputs.ts";
import { siteOf } from "../run-plan.ts";

type Config = RunConfig["environment"];

export interface TestbedParts {
  /** As `gradingConfig` makes it. */
  readonly config: Config;
  readonly io: Io;
  /** The folder with all results, which tests must not see where that can be helped. */
  readonly results: string;
  /** Tests may run without a sandbox: somebody has agreed to it. */
  readonly mayRunLocally: boolean;
  /** Takes a line for people. */
  readonly tell: (line: string) => void;
}

/** Our choice: logs of test suites are far smaller; a script that writes more has run wild. */
const maxLogBytes = 256 * 1024 ** 2;
/** For the patch and the log. Our choice. */
const spareSec = 1800;

/** Settings of the places where tests run, which are not those where the agent worked. */
export function gradingConfig(
  config: Config,
  { timeoutSec, network }: { readonly timeoutSec: number; readonly network: Config["network"] },
): Config {
  return {
    ...config,
    network,
    maxOutputBytes: maxLogBytes,
    containerLifeSec: Math.ceil(timeoutSec) + spareSec,
    // The official harness sets nothing, and the script itself activates what it needs.
    env: { BASH_ENV: "/dev/null" },
  };
}

interface Spot {
  readonly row: DatasetRow;
  readonly repository: string | null;
  readonly image: string | null;
  readonly kind: Kind;
}

/** The kind of place in which an instance's tests would run. */
export async function spotOf(
  row: DatasetRow,
  repository: string | null,
  config: Config,
): Promise<Spot> {
  const image = config.image ?? (repository === null ? imageOf(row) : null);
  return { row, repository, image, kind: await chooseEnvironment(config, image) };
}

/** Where an instance's tests run: in its image, or on a copy of the repository that it brings. */
export function testbedsOf(parts: TestbedParts): TestbedOf {
  const names = new Map<string, Promise<string>>();
  return (row, repository): Testbed => {
    const spotHere = () => spotOf(row, repository, parts.config);
    return {
      name: async (signal) => {
        const spot = await spotHere();
        const about = JSON.stringify([spot.kind, spot.image, repository]);
        const name = names.get(about) ?? nameOf(spot, parts, signal);
        names.set(about, name);
        name.catch(() => names.delete(about));
        return name;
      },
      open: async (signal) => openSpot(await spotHere(), parts, signal),
    };
  };
}

/** The id of the image's content, the commit of the bundled tree, or both. */
async function nameOf(
  { kind, image, repository }: Spot,
  { config, io, tell }: TestbedParts,
  signal: AbortSignal,
): Promise<string> {
  const parts: string[] = [kind];
  if (kind === "docker" && image !== null) {
    const { idOfImage } = await import("./grade-image.ts");
    parts.push(await idOfImage(image, { config, env: io.env, signal, tell }));
  }
  if (repository !== null) {
    const into = await scratch();
    try {
      parts.push((await layOutRepository(repository, into, io.env["PATH"])).commit);
    } finally {
      await removeFolder(into);
    }
  }
  return parts.join(" ");
}

const scratch = () => mkdtemp(join(tmpdir(), "pmcoder-grading-"));

async function openSpot(
  { kind, image, repository, row }: Spot,
  { config, io, results, mayRunLocally, tell }: TestbedParts,
  signal: AbortSignal,
): Promise<Environment> {
  if (kind === "local" && !mayRunLocally) {
    throw new PmcoderError(
      "usage",
      `The tests of ${row.instance_id} would run on this machine without a sandbox. Install bubblewrap, or pass --yes.`,
    );
  }
  const folder = await scratch();
  try {
    const flags =
      repository === null
        ? {}
        : { repo: (await layOutRepository(repository, folder, io.env["PATH"])).path };
    const site = await siteOf(kind, image, { instance: row.instance_id, ...flags }, io.cwd);
    // A script may write to git's configuration, which must not be the user's.
    const own = kind === "local" ? { GIT_CONFIG_GLOBAL: join(folder, "gitconfig") } : {};
    const { environment } = await composePlace(
      site,
      { ...config, env: { ...config.env, ...own } },
      {
        run: `grading-${randomBytes(6).toString("hex")}`,
        outputs: outputsIn(folder, statePlace(undefined, io).database, results),
      },
      { io, signal, tell: (line) => (line.startsWith("Copying ") ? undefined : tell(line)) },
    );
    return closingWith(environment, () => removeFolder(folder));
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}

function closingWith(environment: Environment, after: () => Promise<void>): Environment {
  const { kind, workdir, records } = environment;
  return {
    kind,
    workdir,
    records,
    execute: (command, options) => environment.execute(command, options),
    read: (path) => environment.read(path),
    close: async () => {
      try {
        await environment.close();
      } finally {
        await after();
      }
    },
  };
}
