import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { EnvironmentConfig } from "../../src/domain/config/environment.ts";
import type { Environment } from "../../src/domain/environment.ts";
import { namedLikeSecret } from "../../src/domain/secrets.ts";
import { type DockerOptions, openDocker } from "../../src/environments/docker.ts";
import { removeContainer } from "../../src/environments/docker-clean.ts";
import { connectEngine } from "../../src/environments/docker-engine.ts";
import { RUN_LABEL, runOf } from "../../src/environments/docker-labels.ts";
import { capable } from "../capabilities.ts";
import type { EnvironmentFactory } from "../contracts/command.ts";
import type { DockerOwnership } from "./docker-owner.ts";

/** Made by .ci/docker-image: Debian with git, python3, procps, and sympy at /testbed. */
export const IMAGE = process.env["PMCODER_TEST_IMAGE"] ?? "pmcoder-testbed:latest";

export const works = await capable("docker", async () => {
  try {
    const { docker } = await connectEngine(process.env);
    await docker.getImage(IMAGE).inspect();
    return true;
  } catch {
    return false;
  }
});

type Changes = Partial<DockerOptions["config"]>;

/** Containers of one run of the tests, told apart by its id, which may be the start of others. */
export function dockerPlaces(run: string) {
  const config = (changes: Changes = {}) => EnvironmentConfig.parse(changes);
  const place = (changes: Changes = {}): Omit<DockerOptions, "env"> => ({
    image: IMAGE,
    run,
    workdir: "/it's a place",
    repository: null,
    config: config(changes),
  });
  const open = (options: Partial<DockerOptions> = {}): Promise<Environment> =>
    openDocker({ ...place(), env: process.env, ...options });

  const factory: EnvironmentFactory = {
    // A container has variables from the configuration alone, so what is no secret is put there.
    open: (changes, callers = {}) => {
      const harmless = Object.entries(callers).filter(([name]) => !namedLikeSecret(name));
      const env = { ...config(changes).env, ...Object.fromEntries(harmless) };
      return open({ ...place({ ...changes, env }), env: { ...process.env, ...callers } });
    },
    own: (command) => own(command),
  };

  function own(command: string, options: Partial<DockerOwnership["options"]> = {}) {
    const ownership: DockerOwnership = { options: { ...place(), ...options }, command };
    const program = fileURLToPath(new URL("docker-owner.ts", import.meta.url));
    const args = ["--import", "tsx", program, JSON.stringify(ownership)];
    return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  }

  /** Ids of this run's containers, ended ones too. */
  async function containers(): Promise<string[]> {
    const { docker } = await connectEngine(process.env);
    const all = await docker.listContainers({ all: true, filters: { label: [RUN_LABEL] } });
    const own = all.filter(({ Labels: labels }) => `${runOf(labels)}-`.startsWith(`${run}-`));
    return own.map(({ Id: id }) => id).sort();
  }

  async function remove(): Promise<void> {
    if (!works) return;
    const engine = await connectEngine(process.env);
    await Promise.all((await containers()).map((id) => removeContainer(engine, id)));
  }

  return { place, open, own, containers, remove, factory };
}
