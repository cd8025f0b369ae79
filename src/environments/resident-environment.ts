import { posix } from "node:path";
import type { RunConfig } from "../domain/config/run-config.ts";
import type { CommandResult, Environment, ExecuteOptions } from "../domain/environment.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { Ended } from "./running-command.ts";
import { NOTHING, type Spool, spoolName } from "./spool.ts";
import type { Supervisor } from "./supervisor.ts";

export interface Residence {
  readonly kind: Environment["kind"];
  readonly workdir: string;
  readonly records: string;
  readonly supervisor: Supervisor;
  readonly spool: Spool;
  /** The spool's folder as commands see it. */
  readonly folder: string;
  /** Number of the first command's output file. */
  readonly first: number;
  readonly config: RunConfig["environment"];
  /** Called once, after the supervisor is gone. */
  readonly onClose: () => Promise<void>;
}

/** Milliseconds between looks at what background processes have written. */
const LEFTOVER_LOOK_MS = 5000;

/** The Environment port over a resident supervisor; what differs by kind stands in `Residence`. */
export function residentEnvironment(residence: Residence): Environment {
  const { supervisor, spool, folder, config } = residence;
  const overgrown = async (name: string) => (await spool.size(name)) > config.maxOutputBytes;
  const leftovers = watchLeftovers(overgrown);
  let index = residence.first - 1;
  let closed: Promise<void> | undefined;

  async function execute(command: string, options: ExecuteOptions): Promise<CommandResult> {
    if (!options.errand) index += 1;
    const name = options.errand ? ERRAND : spoolName(index);
    const file = posix.join(folder, name);
    if (options.signal?.aborted) return neverStarted(file);
    const { kill, silent, ...ended } = await supervisor.run({
      command: command.includes("\0") ? refusal(command) : command,
      file,
      timeoutSec: options.timeoutSec,
      signal: options.signal,
      overgrown: () => overgrown(name),
    });
    if (ended.background) leftovers.add(name, kill);
    const output = silent ? NOTHING : await spool.ends(name, config.captureBytes);
    return { ...ended, output: { ...output, file } };
  }

  async function read(path: string): Promise<Uint8Array> {
    const absolute = posix.resolve(residence.workdir, path);
    if (await supervisor.copy(absolute, COPY)) return spool.take(COPY);
    throw new PmcoderError(
      "internal",
      `Expected a readable file at ${absolute} in the ${residence.kind} environment; there is none.`,
    );
  }

  async function end(): Promise<void> {
    leftovers.stop();
    await supervisor.stop();
    await spool.take(ERRAND).catch(() => {});
    await residence.onClose();
  }

  const close = () => (closed ??= end());
  const { kind, workdir, records } = residence;
  return { kind, workdir, records, execute, read, close };
}

/** Where `read` puts its copy; not a number, so that no command's output has this name. */
const COPY = "copy.tmp";
/** Where errands print. */
const ERRAND = "errand.tmp";

/** A NUL byte cannot be handed to a shell; the result says so, as bash would for bad syntax. */
function refusal(command: string): string {
  return `echo 'The command was not run: it holds a NUL byte at character ${command.indexOf("\0") + 1}, which no shell can take. Write \\0 in a printf format instead.'; exit 2`;
}

function neverStarted(file: string): CommandResult {
  return {
    exitCode: 130,
    timedOut: false,
    interrupted: true,
    background: false,
    output: { ...NOTHING, file },
    seconds: 0,
  };
}

/** What processes write after their command has ended counts against the same limit. */
function watchLeftovers(overgrown: (name: string) => Promise<boolean>) {
  const kills = new Map<string, Ended["kill"]>();
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    for (const [name, kill] of kills) {
      if (!(await overgrown(name))) continue;
      kill();
      kills.delete(name);
    }
  };
  return {
    add(name: string, kill: Ended["kill"]): void {
      kills.set(name, kill);
      timer ??= setInterval(() => void look(), LEFTOVER_LOOK_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}
