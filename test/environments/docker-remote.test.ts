import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
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
const folder = mkdtempSync(join(tmpdir(), "pmcoder-remote-"));
const limit = { timeoutSec: 20 };
let server: Server | undefined;

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
