/**
 * A program that owns a container and is killed by a test while a command runs:
 * `tsx docker-owner.ts '{"options":{...},"command":"..."}'`. It says "running" first.
 */
import { type DockerOptions, openDocker } from "../../src/environments/docker.ts";

export interface DockerOwnership {
  readonly options: Omit<DockerOptions, "env" | "signal" | "onProgress">;
  readonly command: string;
}

const { options, command }: DockerOwnership = JSON.parse(process.argv[2] ?? "");
const environment = await openDocker({ ...options, env: process.env });
await environment.execute(command, { timeoutSec: 60 });
process.stdout.write("running\n");
await environment.execute("sleep 60", { timeoutSec: 60 });
