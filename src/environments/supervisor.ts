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

/** One call, fed with the supervisor's lines about it until its promise settles. */
interface Listener {
  hear(answer: readonly string[]): void;
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
    await supervisor.#call<void>((_id, resolve, fail) => {
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
      (id, resolve, fail) =>
        new RunningCommand(id, request, { say: (code) => this.#say(code), resolve, fail }),
    );
  }

  /** Copies a file into the folder; resolves with false when there is no such file. */
  copy(source: string, name: string): Promise<boolean> {
    return this.#call((id, resolve, fail) => {
      this.#say(`copy ${id} ${name} ${quote(source)}\n`);
      return {
        hear: ([kind, status]) => {
          if (kind === "E") resolve(status === "0");
        },
        fail,
      };
    });
  }

  /** Ends the supervisor with everything it started; resolves when it is gone. */
  async stop(): Promise<void> {
    this.#lost ??= new PmcoderError(
      "environment_lost",
      "The environment is closed; open another one.",
    );
    this.#waiting?.fail(this.#lost);
    this.#channel.input.end();
    const force = setTimeout(() => this.#channel.kill(), PATIENCE_MS);
    await this.#channel.exited;
    clearTimeout(force);
  }

  async #call<T>(
    begin: (id: number, resolve: (value: T) => void, fail: (error: Error) => void) => Listener,
  ): Promise<T> {
    if (this.#lost) throw this.#lost;
    if (this.#waiting) {
      throw new PmcoderError("internal", "Calls of one environment may not overlap; await each.");
    }
    this.#id += 1;
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#waiting = begin(this.#id, resolve, reject);
      });
    } finally {
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
    } else if (kind === "R" || Number(id) === this.#id) {
      this.#waiting?.hear([kind, ...rest]);
    }
  }

  #lose(reason: string): void {
    this.#lost ??= new PmcoderError(
      "environment_lost",
      `Expected the environment's command supervisor to stay up, but it is gone: ${reason}. Nothing more can run here; start or resume the run.`,
    );
    this.#waiting?.fail(this.#lost);
  }
}

function onLine(stream: Readable, hear: (line: string) => void): void {
  let rest = "";
  stream.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(line);
  });
}
