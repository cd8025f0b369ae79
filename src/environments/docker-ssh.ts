import { spawn } from "node:child_process";
import http from "node:http";
import { Duplex } from "node:stream";
import type { Variables } from "./child-variables.ts";
import type { EngineAddress } from "./docker-address.ts";

const REASON_CHARS = 500;

/**
 * Connections to an engine behind ssh, each by way of `docker system dial-stdio` on its machine, as
 * Docker's own programs make them: the user's ssh with its keys, known hosts and settings, which
 * asks nothing. `env`: the caller's variables.
 */
export class SshAgent extends http.Agent {
  readonly #argv: readonly string[];
  readonly #env: Variables;

  constructor({ host, port, user }: Extract<EngineAddress, { kind: "ssh" }>, env: Variables) {
    super();
    this.#argv = [
      ...["-T", "-o", "BatchMode=yes"],
      ...(user === null ? [] : ["-l", user]),
      ...(port === null ? [] : ["-p", String(port)]),
      ...["--", host, "docker", "system", "dial-stdio"],
    ];
    this.#env = env;
  }

  override createConnection(): Duplex {
    return dial(this.#argv, this.#env);
  }
}

function dial(argv: readonly string[], env: Variables): Duplex {
  const ssh = spawn("ssh", argv, { env, stdio: "pipe" });
  let said = "";
  const connection = new Duplex({
    read: () => void ssh.stdout.resume(),
    write: (chunk, _encoding, done) => void ssh.stdin.write(chunk, () => done()),
    final: (done) => void ssh.stdin.end(done),
    destroy: (error, done) => {
      ssh.kill();
      done(error);
    },
  });
  ssh.stdout.on("data", (chunk: Buffer) => {
    if (!connection.push(chunk)) ssh.stdout.pause();
  });
  ssh.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-REASON_CHARS);
  });
  // Its end is told by `close`, with the reason.
  ssh.stdin.on("error", () => {});
  ssh.on("error", (error) => connection.destroy(error));
  ssh.on("close", (status) => {
    if (status === 0) connection.push(null);
    else connection.destroy(new Error(`ssh ended with status ${status}: ${said.trim()}`));
  });
  return connection;
}
