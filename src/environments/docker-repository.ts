import { spawn } from "node:child_process";
import { once } from "node:events";
import type Docker from "dockerode";
import { PmcoderError } from "../domain/errors.ts";
import type { Variables } from "./child-variables.ts";
import { reasonOf } from "./docker-engine.ts";

export interface Laying {
  /** Folder of this machine. */
  readonly from: string;
  /** Folder in the container, which exists. */
  readonly to: string;
  /** The caller's environment: where tar is. */
  readonly env: Variables;
}

/**
 * Lays the content of a folder in a running container, over what its image may have there, such as
 * an installation in place; two git folders are not mixed, so that the image's goes. Throws
 * PmcoderError `usage` when it cannot be read or laid.
 */
export async function layRepository(container: Docker.Container, laying: Laying): Promise<void> {
  const { from, to } = laying;
  try {
    await asRoot(container, ["rm", "-rf", `${to}/.git`]);
    await sendArchive(container, laying);
    const { User: user } = (await container.inspect()).Config;
    // Owners come as numbers of this machine, which mean nobody there; root may do all the same.
    if (!/^(?:root|0|)(?::|$)/.test(user)) await asRoot(container, ["chown", "-R", user, to]);
  } catch (cause) {
    throw new PmcoderError(
      "usage",
      `The repository at ${from} could not be laid in the container at ${to}: ${reasonOf(cause)}`,
      { cause },
    );
  }
}

async function sendArchive(container: Docker.Container, { from, to, env }: Laying): Promise<void> {
  const tar = spawn("tar", ["-C", from, "-cf", "-", "."], {
    // Without the second, macOS adds a file of its own beside each.
    env: { PATH: env["PATH"], COPYFILE_DISABLE: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  tar.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const laid = container.putArchive(tar.stdout, { path: to });
  // Nobody reads what tar still writes when the engine has refused.
  const ended = Promise.all([once(tar, "close"), laid]).finally(() => tar.kill());
  const [[status]] = await ended;
  if (status !== 0) throw new Error(said);
}

async function asRoot(container: Docker.Container, argv: string[]): Promise<void> {
  const exec = await container.exec({
    User: "0",
    Cmd: argv,
    AttachStdout: true,
    AttachStderr: true,
  });
  const stream = await exec.start({});
  let said = "";
  for await (const chunk of stream) said += String(chunk);
  const { ExitCode: status } = await exec.inspect();
  if (status !== 0) throw new Error(`${argv.join(" ")} ended with status ${status}: ${said}`);
}
