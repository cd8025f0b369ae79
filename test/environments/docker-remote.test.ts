import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectEngine } from "../../src/environments/docker-engine.ts";
import { capable } from "../capabilities.ts";
import { textOf } from "../contracts/command.ts";
import { dockerPlaces, works } from "./docker-places.ts";

const hasOpenssl = capable("openssl", () => {
  try {
    execFileSync("openssl", ["version"]);
    return true;
  } catch {
    return false;
  }
});
const places = dockerPlaces(`docker-remote-${process.pid}`);
const limit = { timeoutSec: 20 };
let server: Server | undefined;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pmcoder-remote-"));
});

afterEach(() => {
  server?.close();
  server = undefined;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await places.remove();
});

/** Passes a connection on to the engine of this machine. */
async function engineBehind(make: (take: (client: Socket) => void) => Server): Promise<number> {
  const { address } = await connectEngine(process.env);
  const listening = make((client) => {
    const engine = connect({ path: address.replace("unix://", ""), allowHalfOpen: true });
    client.on("error", () => engine.destroy()).pipe(engine);
    engine.on("error", () => client.destroy()).pipe(client);
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return (listening.address() as AddressInfo).port;
}

/** An authority, and what it signs for a server and for a client, as `docker` wants the files. */
function makeCertificates(): void {
  const openssl = (...args: string[]) =>
    execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const fresh = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const authority = ["-keyout", "authority.key", "-out", "ca.pem", "-subj", "/CN=authority"];
  openssl("req", "-x509", ...fresh, ...authority, "-days", "2");
  for (const [name, files] of [
    ["server", ["server-key.pem", "server-cert.pem"]],
    ["client", ["key.pem", "cert.pem"]],
  ] as const) {
    const [key, certificate] = files;
    openssl(
      ...["req", "-x509", "-CA", "ca.pem", "-CAkey", "authority.key", ...fresh, "-days", "2"],
      ...["-keyout", key, "-out", certificate, "-subj", `/CN=${name}`],
      ...["-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=CA:FALSE"],
    );
  }
}

async function outputWith(env: Readonly<Record<string, string>>): Promise<string> {
  const environment = await places.open({ env: { PATH: process.env["PATH"], ...env } });
  try {
    return textOf(await environment.execute("echo out; echo err >&2", limit));
  } finally {
    await environment.close();
    expect(await places.containers()).toEqual([]);
  }
}

describe.runIf(works)("an engine elsewhere, named by DOCKER_HOST", () => {
  it("is reached over TCP", async () => {
    const port = await engineBehind((take) => createServer({ allowHalfOpen: true }, take));
    expect(await outputWith({ DOCKER_HOST: `tcp://127.0.0.1:${port}` })).toBe("out\nerr\n");
  });
});

describe.runIf(works && hasOpenssl)("an engine behind TLS", () => {
  const read = (name: string) => readFileSync(join(folder, name));
  const listen = () =>
    engineBehind((take) =>
      createTlsServer(
        {
          ...{ ca: read("ca.pem"), cert: read("server-cert.pem"), key: read("server-key.pem") },
          ...{ requestCert: true, rejectUnauthorized: true, allowHalfOpen: true },
        },
        take,
      ),
    );
  beforeAll(makeCertificates);

  it("is reached with the client's certificate, and knows it", async () => {
    const DOCKER_HOST = `tcp://127.0.0.1:${await listen()}`;
    const env = { DOCKER_HOST, DOCKER_TLS_VERIFY: "1", DOCKER_CERT_PATH: folder };
    expect(await outputWith(env)).toBe("out\nerr\n");
  });

  it("is not spoken to without one", async () => {
    const DOCKER_HOST = `tcp://127.0.0.1:${await listen()}`;
    const bare = join(folder, "nothing here");
    for (const more of [{}, { DOCKER_TLS_VERIFY: "1", DOCKER_CERT_PATH: bare }]) {
      await expect(connectEngine({ DOCKER_HOST, ...more })).rejects.toMatchObject({
        code: "environment_lost",
        message: expect.stringContaining(`Expected a Docker engine at ${DOCKER_HOST}`),
      });
    }
  });
});

describe.runIf(works)("an engine behind ssh", () => {
  /** A program named ssh that keeps its words and then does this. */
  function sshThat(script: string): string {
    const bin = mkdtempSync(join(folder, "bin-"));
    writeFileSync(join(bin, "ssh"), `#!/bin/sh\necho "$@" >'${bin}/words'\n${script}\n`, {
      mode: 0o755,
    });
    return bin;
  }
  const envOf = (bin: string) => ({
    DOCKER_HOST: "ssh://me@box:2222",
    PATH: `${bin}:${process.env["PATH"]}`,
  });

  it("is reached through the user's own ssh, which asks nothing", async () => {
    const { address } = await connectEngine(process.env);
    const bin = sshThat(`DOCKER_HOST=${address} exec docker system dial-stdio`);
    expect(await outputWith(envOf(bin))).toBe("out\nerr\n");
    expect(readFileSync(join(bin, "words"), "utf8")).toBe(
      "-T -o BatchMode=yes -l me -p 2222 -- box docker system dial-stdio\n",
    );
  });

  it.each([
    [
      "refuses",
      () => envOf(sshThat("echo 'Host key verification failed.' >&2; exit 255")),
      /255: Host key/,
    ],
    ["is missing", () => ({ ...envOf(""), PATH: "/nowhere" }), /spawn ssh ENOENT/],
  ])("is said not to answer, with the reason, when ssh %s", async (_, env, reason) => {
    const connecting = connectEngine(env());
    await expect(connecting).rejects.toMatchObject({ code: "environment_lost" });
    await expect(connecting).rejects.toThrow("Expected a Docker engine at ssh://me@box:2222");
    await expect(connecting).rejects.toThrow(reason);
  });

  it("is lost when ssh ends while a command runs", async () => {
    const { address } = await connectEngine(process.env);
    const bin = sshThat(
      `echo $$ >>"$0.pids"; DOCKER_HOST=${address} exec docker system dial-stdio`,
    );
    const environment = await places.open({ env: envOf(bin) });
    const running = environment.execute("sleep 15", limit);
    const pids = readFileSync(join(bin, "ssh.pids"), "utf8").trim().split("\n").map(Number);
    for (const pid of pids.filter(isAlive)) process.kill(pid, "SIGKILL");
    await expect(running).rejects.toMatchObject({ code: "environment_lost" });
    await environment.close();
    expect(await places.containers()).toEqual([]);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
