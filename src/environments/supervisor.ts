import type { Readable, Writable } from "node:stream";
import { PmcoderError } from "../domain/errors.ts";
import { type CommandRequest, type Ended, RunningCommand } from "./running-command.ts";
import { type ProgramOptions, quote, supervisorProgram } from "./supervisor-program.ts";

/** A shell somewhere, reading code from `input`: a process, or an exec in a container. */
export interface Channel {
  /** Ending it ends the supervisor and everything it started. */
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves once the shell is gone, with what is known of the reason; never rejects. */
  readonly exited: Promise<string>;
  /** Ends the shell by force; what it started may live on. */
  kill(): void;
}

const PATIENCE_MS = 5000;
/** How long an answer may be late before the shell is taken for lost: stopped, or out of reach. */
const SILENCE_SEC = 30;
/** The same for the content of a file, which may be large. */
const TRANSFER_SEC = 600;
/** The longest time that a timer can wait. */
const LONGEST_MS = 2 ** 31 - 1;

/** One call, fed with the supervisor's lines about it until its promise settles. */
interface Listener {
  hear(answer: readonly string[]): void;
  /** A line of a file's content. */
  take?(line: string): void;
  fail(error: Error): void;
}

/**
 * The client of one resident supervisor: writes calls as shell code and hands each line of the
 * answer to the call that waits, one at a time. Where the shell runs is the channel's affair.
 */
export class Supervisor {
  readonly #channel: Channel;
  #id = 0;
  #waiting: Listener | undefined;
  #waitingId = 0;
  readonly #sizes = new Map<number, (bytes: number) => void>();
  #lost: PmcoderError | undefined;

  private constructor(channel: Channel) {
    this.#channel = channel;
    channel.input.on("error", (error) => this.#lose(error.message));
    onLine(channel.output, (line) => this.#hear(line));
    void channel.exited.then((reason) => this.#lose(reason));
  }

  /** Rejects with `environment_lost` when the shell ends before it is ready. */
  static async start(channel: Channel, program: ProgramOptions): Promise<Supervisor> {
    const supervisor = new Supervisor(channel);
    await supervisor.#call<void>(SILENCE_SEC, (_id, resolve, fail) => {
      supervisor.#say(supervisorProgram(program));
      return {
        hear: ([kind]) => {
          if (kind === "R") resolve();
        },
        fail,
      };
    });
    return supervisor;
  }

  run(request: CommandRequest): Promise<Ended> {
    return this.#call(
      request.timeoutSec + SILENCE_SEC,
      (id, resolve, fail) =>
        new RunningCommand(id, request, { say: (code) => this.#say(code), resolve, fail }),
    );
  }

  /** Copies a file into the folder; resolves with false when there is no such file. */
  copy(source: string, name: string): Promise<boolean> {
    return this.#call(TRANSFER_SEC, (id, resolve, fail) => {
      this.#say(`copy ${id} ${name} ${quote(source)}\n`);
      return {
        hear: ([kind, status]) => {
          if (kind === "E") resolve(status === "0");
        },
        fail,
      };
    });
  }

  /** At most `most` bytes of a file of the folder, from byte `from` on; none of a missing file. */
  fetch(name: string, from: number, most: number): Promise<Uint8Array> {
    return this.#call(TRANSFER_SEC, (id, resolve, fail) => {
      this.#say(`fetch ${id} ${name} ${from} ${most}\n`);
      const content = gather();
      return {
        take: content.add,
        hear: ([kind]) => {
          if (kind === "E") resolve(content.bytes());
        },
        fail,
      };
    });
  }

  /** Removes a file of the folder. */
  discard(name: string): void {
    this.#say(`discard ${name}\n`);
  }

  /** Bytes of a file of the folder, also while a command runs; 0 when missing, or all is lost. */
  size(name: string): Promise<number> {
    if (this.#lost) return Promise.resolve(0);
    this.#id += 1;
    const id = this.#id;
    this.#say(`size ${id} ${name}\n`);
    return new Promise((resolve) => this.#sizes.set(id, resolve));
  }

  /** Ends the supervisor with everything it started; resolves when it is gone. */
  async stop(): Promise<void> {
    this.#lost ??= new PmcoderError(
      "environment_lost",
      "The environment is closed; open another one.",
    );
    this.#settle(this.#lost);
    this.#channel.input.end();
    const force = setTimeout(() => this.#channel.kill(), PATIENCE_MS);
    await this.#channel.exited;
    clearTimeout(force);
  }

  async #call<T>(
    limitSec: number,
    begin: (id: number, resolve: (value: T) => void, fail: (error: Error) => void) => Listener,
  ): Promise<T> {
    if (this.#lost) throw this.#lost;
    if (this.#waiting) {
      throw new PmcoderError("internal", "Calls of one environment may not overlap; await each.");
    }
    this.#id += 1;
    const id = this.#id;
    const silent = setTimeout(
      () => this.#lose(`it has not answered within ${limitSec} s`),
      Math.min(limitSec * 1000, LONGEST_MS),
    );
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#waitingId = id;
        this.#waiting = begin(id, resolve, reject);
      });
    } finally {
      clearTimeout(silent);
      this.#waiting = undefined;
    }
  }

  #say(code: string): void {
    this.#channel.input.write(code);
  }

  #hear(line: string): void {
    const [kind = "", id, ...rest] = line.split(" ");
    if (kind === "X") {
      this.#lose("it could not open the working folder or the folder for outputs");
    } else if (kind === "Z") {
      this.#sizes.get(Number(id))?.(Number(rest[0]));
      this.#sizes.delete(Number(id));
    } else if (kind === "R" || Number(id) === this.#waitingId) {
      this.#waiting?.hear([kind, ...rest]);
    } else if (id === undefined || kind === "") {
      this.#waiting?.take?.(line);
    }
  }

  #lose(reason: string): void {
    this.#lost ??= new PmcoderError(
      "environment_lost",
      `Expected the environment's command supervisor to stay up, but it is gone: ${reason}. Nothing more can run here; start or resume the run.`,
    );
    this.#settle(this.#lost);
  }

  #settle(lost: PmcoderError): void {
    this.#waiting?.fail(lost);
    for (const resolve of this.#sizes.values()) resolve(0);
    this.#sizes.clear();
  }
}

/** Lines that are decoded together. */
const BATCH = 10_000;

/** Content that comes as lines: base64, or hexadecimal numbers after blanks where that is lacking. */
function gather() {
  const parts: Buffer[] = [];
  let lines: string[] = [];
  const flush = () => {
    const text = lines.join("");
    lines = [];
    const hexadecimal = text.startsWith(" ");
    parts.push(
      hexadecimal ? Buffer.from(text.replaceAll(" ", ""), "hex") : Buffer.from(text, "base64"),
    );
  };
  return {
    add(line: string): void {
      if (lines.push(line) === BATCH) flush();
    },
    bytes(): Uint8Array {
      flush();
      return Buffer.concat(parts);
    },
  };
}

function onLine(stream: Readable, hear: (line: string) => void): void {
  let rest = "";
  stream.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(line);
  });
}
