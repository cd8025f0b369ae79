import { randomUUID } from "node:crypto";
import { posix } from "node:path";
import { quote } from "./supervisor-program.ts";

export interface CommandRequest {
  readonly command: string;
  /** Where its output goes: a path in the supervisor's folder, as commands see it. */
  readonly file: string;
  readonly timeoutSec: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether the output has outgrown its limit; asked at each look at the command. */
  readonly overgrown: () => Promise<boolean>;
}

/** How one command ended, before its output is read. */
export interface Ended {
  readonly exitCode: number;
  readonly timedOut: boolean;
  readonly interrupted: boolean;
  readonly background: boolean;
  /** It printed nothing: there is no output to read. */
  readonly silent: boolean;
  readonly seconds: number;
  /** Kills what it left running. */
  readonly kill: () => void;
}

interface Exit {
  readonly code: number;
  readonly left: boolean;
  readonly silent: boolean;
}

interface Ends {
  readonly say: (code: string) => void;
  readonly resolve: (ended: Ended) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Milliseconds between looks at a running command. The first look also has the supervisor watch
 * the time limit: that costs two processes, and most commands are over too soon to need them.
 */
const LOOK_MS = 1000;
/** How long the exit status may lag behind the proof that nothing of the command lives. */
const LAG_MS = 3000;
/**
 * Characters of a command that go in quotes. A longer one goes through a file: shells take long
 * quoted texts slowly, and Linux takes 128 KiB in one argument.
 */
const LONGEST_QUOTED = 8000;
const KILLED = 137;
const TIMED_OUT = 124;

/** One command from its call to its exit status, fed with the supervisor's lines about it. */
export class RunningCommand {
  readonly #id: number;
  readonly #request: CommandRequest;
  readonly #ends: Ends;
  readonly #started = performance.now();
  readonly #looking = setInterval(() => this.#look(), LOOK_MS);
  readonly #onAbort = () => this.#kill("abort");
  #lagging: NodeJS.Timeout | undefined;
  #group: string | undefined;
  #watched = false;
  #killing: "time" | "abort" | "output" | undefined;
  #killed = false;
  #over = false;
  #exit: Exit | undefined;

  constructor(id: number, request: CommandRequest, ends: Ends) {
    this.#id = id;
    this.#request = request;
    this.#ends = ends;
    request.signal?.addEventListener("abort", this.#onAbort);
    ends.say(runCall(id, request));
  }

  hear([kind, first = "", left, silent]: readonly string[]): void {
    if (this.#over) return;
    switch (kind) {
      case "S":
        this.#group = first;
        if (this.#killing) this.#end();
        else if (this.#request.timeoutSec * 1000 <= LOOK_MS) this.#watch();
        break;
      case "T":
        this.#killing ??= "time";
        break;
      case "G":
        this.#expectExit();
        break;
      case "K":
        this.#killed = true;
        this.#expectExit();
        this.#settle();
        break;
      case "E":
        this.#exit = { code: Number(first), left: left === "1", silent: silent === "1" };
        this.#settle();
        break;
    }
  }

  fail(error: Error): void {
    this.#release();
    this.#ends.fail(error);
  }

  #look(): void {
    if (this.#group === undefined) return;
    if (!this.#watched) this.#watch();
    this.#ends.say(`probe ${this.#id} ${this.#group}\n`);
    this.#request.overgrown().then((overgrown) => overgrown && this.#kill("output"), ignore);
  }

  #watch(): void {
    this.#watched = true;
    const seconds = Math.max(0.01, this.#request.timeoutSec - this.#seconds());
    if (seconds === Number.POSITIVE_INFINITY) return;
    const times = `${seconds.toFixed(2)} ${Math.ceil(seconds)}`;
    this.#ends.say(`limit ${this.#id} ${this.#group} ${times}\n`);
  }

  #kill(reason: "abort" | "output"): void {
    if (this.#killing) return;
    this.#killing = reason;
    if (this.#group !== undefined) this.#end();
  }

  #end(): void {
    this.#ends.say(`end ${this.#id} ${this.#group}\n`);
  }

  /** A command can kill even the shell that waits for it; then its exit status never comes. */
  #expectExit(): void {
    this.#lagging ??= setTimeout(() => {
      this.#killed = true;
      this.#exit ??= { code: KILLED, left: false, silent: false };
      this.#settle();
    }, LAG_MS);
  }

  #settle(): void {
    if (!this.#exit || (this.#killing && !this.#killed)) return;
    this.#release();
    if (this.#watched) this.#ends.say("release\n");
    const { code, left, silent } = this.#exit;
    const timedOut = this.#killing === "time";
    this.#ends.resolve({
      exitCode: timedOut ? TIMED_OUT : code,
      timedOut,
      interrupted: this.#killing === "abort" && code === KILLED,
      background: left && !this.#killing,
      silent,
      seconds: this.#seconds(),
      kill: () => this.#end(),
    });
  }

  #release(): void {
    this.#over = true;
    clearInterval(this.#looking);
    clearTimeout(this.#lagging);
    this.#request.signal?.removeEventListener("abort", this.#onAbort);
  }

  #seconds(): number {
    return (performance.now() - this.#started) / 1000;
  }
}

function runCall(id: number, { command, file }: CommandRequest): string {
  const call = (text: string) =>
    `pass ${quote(`run ${id} ${posix.basename(file)} ${quote(text)}`)}\n`;
  if (command.length <= LONGEST_QUOTED) return call(command);
  const script = `${file}.sh`;
  const end = `END-${randomUUID()}`;
  const save = `save ${posix.basename(script)} <<'${end}'\n${command}\n${end}\n`;
  return save + call(`eval "$(cat ${quote(script)})"`);
}

const ignore = () => undefined;
