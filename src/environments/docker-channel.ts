import { Socket } from "node:net";
import { PassThrough, Writable } from "node:stream";
import type Docker from "dockerode";
import type { Engine } from "./docker-engine.ts";
import { FrameReader } from "./docker-frames.ts";
import { lossReason } from "./docker-loss.ts";
import type { Channel } from "./supervisor.ts";

const REASON_BYTES = 2000;
const STANDARD_OUTPUT = 1;
/** A remote engine that vanished without a word is noticed by this. */
const KEEP_ALIVE_MS = 15_000;

export interface ExecOptions {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a program in a running container, attached for as long as it lives. */
export async function execChannel(
  engine: Engine,
  container: Docker.Container,
  { argv, env }: ExecOptions,
): Promise<Channel> {
  const exec = await container.exec({
    Cmd: [...argv],
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
  });
  const stream = await exec.start({ hijack: true, stdin: true, Tty: false });
  if (stream instanceof Socket) stream.setTimeout(0).setKeepAlive(true, KEEP_ALIVE_MS);
  const output = new PassThrough();
  let said = "";
  let closing = false;
  const frames = new FrameReader((number, content) => {
    if (number === STANDARD_OUTPUT) output.write(content);
    else said = (said + content.toString()).slice(-REASON_BYTES);
  });
  let broken: string | undefined;
  stream.on("data", (chunk: Buffer) => {
    try {
      frames.push(chunk);
    } catch (error) {
      broken = (error as Error).message;
      stream.destroy();
    }
  });
  stream.on("end", () => stream.destroy());
  stream.on("error", (error) => {
    broken ??= error.message;
  });
  const exited = new Promise<string>((resolve) => {
    stream.on("close", () => {
      if (closing) return resolve("it was ended");
      if (frames.cut) broken ??= "the stream was cut in the middle of a frame";
      lossReason(engine, container, exec)
        .then((reason) => resolve([reason, broken, said.trim()].filter(Boolean).join("; ")))
        .catch(() => resolve(broken ?? "its connection was closed"));
    });
  });
  return {
    input: new Writable({
      write: (chunk, _encoding, done) => stream.write(chunk, () => done()),
      final: (done) => {
        closing = true;
        stream.end();
        done();
      },
    }),
    output,
    exited,
    kill: () => {
      closing = true;
      stream.destroy();
    },
  };
}
