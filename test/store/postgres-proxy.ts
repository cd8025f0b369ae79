import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The name of a server's socket in its folder, at the usual port. */
const socketName = ".s.PGSQL.5432";

/** A network between a client and a PostgreSQL server that can break in the ways networks do. */
export class PostgresProxy {
  readonly #folder = mkdtempSync(join(tmpdir(), "pmcoder-proxy-"));
  readonly #listener: Server;
  readonly #sockets = new Set<Socket>();
  #frozen = false;
  /** What the answer that gets lost contains. */
  #losing: string | null = null;

  static async open(serverUrl: string): Promise<PostgresProxy> {
    const proxy = new PostgresProxy(new URL(serverUrl).searchParams.get("host") ?? "");
    await new Promise<void>((resolve) =>
      proxy.#listener.listen(join(proxy.#folder, socketName), resolve),
    );
    return proxy;
  }

  private constructor(serverFolder: string) {
    this.#listener = createServer((client) => {
      const server = connect(join(serverFolder, socketName));
      this.#join(client, server, () => false);
      this.#join(server, client, (bytes) => this.#losing !== null && bytes.includes(this.#losing));
    });
  }

  /** The server's address, through here. */
  through(serverUrl: string): string {
    const url = new URL(serverUrl);
    url.searchParams.set("host", this.#folder);
    return url.href;
  }

  /** Nothing goes through any more, and nobody is told. */
  freeze(): void {
    this.#frozen = true;
    for (const socket of this.#sockets) socket.pause();
  }

  thaw(): void {
    this.#frozen = false;
    for (const socket of this.#sockets) socket.resume();
  }

  /**
   * The next answer with this command tag, such as `COMMIT`, is not passed on; its connection ends
   * instead.
   */
  loseAnswer(tag: string): void {
    this.#losing = tag;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#listener.close(resolve));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #join(from: Socket, to: Socket, loses: (bytes: Buffer) => boolean): void {
    this.#sockets.add(from);
    from.on("data", (bytes: Buffer) => {
      if (loses(bytes)) {
        this.#losing = null;
        from.destroy();
      } else {
        to.write(bytes);
      }
    });
    from.on("error", () => {});
    from.on("close", () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    if (this.#frozen) from.pause();
  }
}
