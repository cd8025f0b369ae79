import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { capable } from "../capabilities.ts";

const versions = "/usr/lib/postgresql";

/** Where Debian keeps the server's programs, the newest version's. */
function programs(): string | undefined {
  if (!existsSync(versions)) return undefined;
  const newest = readdirSync(versions).sort((a, b) => Number(b) - Number(a));
  return newest
    .map((version) => join(versions, version, "bin"))
    .find((bin) => existsSync(join(bin, "initdb")));
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Whom the server runs as: it refuses root, so for root the user `postgres`; undefined if none. */
function owner(): Owner | undefined {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (uid !== 0) return { uid, gid };
  const line = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8"));
  return line ? { uid: Number(line[1]), gid: Number(line[2]) } : undefined;
}

/** Whether this machine has a PostgreSQL server that tests can start. */
export const hasPostgres = capable(
  "postgres",
  () => programs() !== undefined && owner() !== undefined,
);

/**
 * A PostgreSQL server of its own, in a temporary folder, on a socket there and on no port. As fast
 * as it can be: it forgets what it wrote when the machine loses power, not when it is killed.
 */
export class PostgresTestServer {
  readonly #folder = mkdtempSync(join(tmpdir(), "pmcoder-pg-"));
  readonly #bin = programs() ?? "";
  readonly #owner = owner() ?? { uid: 0, gid: 0 };
  #process: ChildProcess | undefined;
  #databases = 0;

  static async start(): Promise<PostgresTestServer> {
    const server = new PostgresTestServer();
    server.#initialize();
    await server.resume();
    return server;
  }

  #initialize(): void {
    chownSync(this.#folder, this.#owner.uid, this.#owner.gid);
    const how = ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C"];
    const data = ["--pgdata", join(this.#folder, "data"), "--no-sync"];
    execFileSync(join(this.#bin, "initdb"), [...how, ...data], { ...this.#owner, stdio: "pipe" });
  }

  /** The address of a database, as `--store` would have it; with a password, which nothing asks for. */
  url(database: string): string {
    return `postgres://postgres:s3cret@localhost/${database}?host=${encodeURIComponent(this.#folder)}`;
  }

  /** How messages name it. */
  name(database: string): string {
    return `the PostgreSQL database ${database} at ${this.#folder}`;
  }

  /** A new, empty database: its name. */
  async createDatabase(): Promise<string> {
    this.#databases += 1;
    const name = `d${this.#databases}`;
    await this.query("postgres", `CREATE DATABASE ${name}`);
    return name;
  }

  async query(database: string, sql: string): Promise<readonly Record<string, unknown>[]> {
    const client = new Client(this.url(database));
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Ends every connection to a database, as a network that breaks does. */
  async cut(database: string): Promise<void> {
    await this.query(
      "postgres",
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`,
    );
  }

  /** As a crash leaves it: what was committed is there. */
  async crash(): Promise<void> {
    await this.#end("SIGQUIT");
  }

  /** Starts it again. */
  async resume(): Promise<void> {
    const where = ["-D", join(this.#folder, "data"), "-k", this.#folder];
    const settings = [
      "listen_addresses=",
      "fsync=off",
      "full_page_writes=off",
      "shared_buffers=32MB",
    ];
    this.#process = spawn(
      join(this.#bin, "postgres"),
      [...where, ...settings.flatMap((setting) => ["-c", setting])],
      { ...this.#owner, stdio: "ignore" },
    );
    for (let tries = 0; !(await this.#answers()); tries += 1) {
      if (tries === 200) throw new Error("the PostgreSQL server does not start");
      await wait(50);
    }
  }

  async stop(): Promise<void> {
    await this.#end("SIGINT");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const running = this.#process;
    if (running?.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill(signal);
    await ended;
  }

  async #answers(): Promise<boolean> {
    return this.query("postgres", "SELECT 1").then(
      () => true,
      () => false,
    );
  }
}
