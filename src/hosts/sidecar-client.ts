import { type ChildProcess, spawn } from "node:child_process";

/** How a plugin starts the sidecar: with this program, from this file. */
export interface SidecarPlace {
  readonly node: string;
  readonly main: string;
  /** Where the agent works. */
  readonly cwd: string;
}

/** Milliseconds that a host waits for an answer; the start of the sidecar is in it. Our choice. */
const patienceMs = 2000;
/** Waits in vain, one after another, until a host goes on without the sidecar. Our choice. */
const mostMisses = 3;

/**
 * The sidecar as a plugin inside another agent talks to it. It needs nothing but what every runtime
 * has, never throws and never keeps the host from ending: whatever is wrong, the answer is null.
 */
export class SidecarClient {
  readonly #place: SidecarPlace;
  #child: ChildProcess | null = null;
  #isLost = false;
  #received: Buffer = Buffer.alloc(0);
  #asked = 0;
  #misses = 0;
  /** Questions that were asked before the last wait in vain ended: those count as one. */
  #missedUpTo = 0;
  readonly #open = new Map<number, (result: unknown) => void>();

  constructor(place: SidecarPlace) {
    this.#place = place;
  }

  /** The result of a method, null when it failed or took too long. */
  async ask(method: string, params: object): Promise<unknown> {
    const child = this.#started();
    if (child === null) return null;
    this.#asked += 1;
    const id = this.#asked;
    const text = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#miss(id), patienceMs);
      this.#open.set(id, (result) => {
        clearTimeout(timer);
        resolve(result);
      });
      child.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    });
  }

  #started(): ChildProcess | null {
    if (this.#isLost || this.#child !== null) return this.#child;
    try {
      const { node, main, cwd } = this.#place;
      const child = spawn(node, [main, "serve", "--stdio"], {
        cwd,
        stdio: ["pipe", "pipe", "ignore"],
      });
      child.on("error", () => this.#lose());
      child.on("exit", () => this.#lose());
      child.stdin.on("error", () => this.#lose());
      child.stdout.on("data", (chunk: Buffer) => this.#receive(chunk));
      letGo(child);
      this.#child = child;
    } catch {
      this.#lose();
    }
    return this.#child;
  }

  #miss(id: number): void {
    this.#settle(id, null);
    if (id <= this.#missedUpTo) return;
    this.#missedUpTo = this.#asked;
    this.#misses += 1;
    if (this.#misses < mostMisses) return;
    this.#child?.kill();
    this.#lose();
  }

  #lose(): void {
    this.#isLost = true;
    this.#child = null;
    for (const id of [...this.#open.keys()]) this.#settle(id, null);
  }

  #settle(id: number, result: unknown): void {
    this.#open.get(id)?.(result);
    this.#open.delete(id);
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (let next = this.#message(); next !== null; next = this.#message()) this.#answer(next);
  }

  /** The next whole message of what was received. */
  #message(): string | null {
    const head = this.#received.indexOf("\r\n\r\n");
    if (head === -1) return null;
    const length = /Content-Length: (\d+)/i.exec(this.#received.toString("latin1", 0, head))?.[1];
    const [start, end] = [head + 4, head + 4 + Number(length ?? 0)];
    if (this.#received.length < end) return null;
    const text = this.#received.toString("utf8", start, end);
    this.#received = this.#received.subarray(end);
    return text;
  }

  #answer(text: string): void {
    try {
      const { id, result } = JSON.parse(text) as { id?: number; result?: unknown };
      this.#misses = 0;
      if (id !== undefined) this.#settle(id, result ?? null);
    } catch {
      // Not for us.
    }
  }
}

/** The host ends when it wants to; the sidecar ends when its input does. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout]) {
    const { unref } = (stream ?? {}) as { unref?: () => void };
    if (stream !== null) unref?.call(stream);
  }
}
