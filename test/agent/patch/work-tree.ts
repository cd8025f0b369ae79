import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Base, forgetBase, snapshotBase } from "../../../src/agent/patch/base.ts";
import { extractPatch, type Patch } from "../../../src/agent/patch/extract.ts";
import { RunConfig } from "../../../src/domain/config/run-config.ts";
import type { Environment } from "../../../src/domain/environment.ts";
import { openLocal } from "../../../src/environments/local.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

/** A new empty folder that goes when the running test ends. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pmcoder-patch-")));
  onTestFinished(() => void execFileSync("rm", ["-rf", folder]));
  return folder;
}

function writeFiles(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Runs a shell script in a folder and gives its output as latin1, a character a byte. */
export function sh(folder: string, script: string): string {
  return execFileSync("bash", ["-ec", script], {
    cwd: folder,
    encoding: "latin1",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 2 ** 30,
  });
}

/** The folder as an environment, closed when the running test ends. */
export async function open(
  folder: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Environment> {
  const config = { ...RunConfig.parse({}).environment, env: variables };
  const environment = await openLocal({
    copy: folder,
    spool: join(temporaryFolder(), "spool"),
    config,
    env: { PATH: process.env["PATH"], HOME: folder },
  });
  onTestFinished(() => environment.close());
  return environment;
}

const identity = "git config user.name A && git config user.email a@example.org";

export interface WorkTree {
  readonly folder: string;
  readonly environment: Environment;
  readonly base: Base;
  /** What the agent does. */
  act(script: string): string;
  extract(maxFileBytes?: number): Promise<Patch>;
  /** The patch applied to a clean checkout of the base; the checkout's folder. */
  applied(patch: Patch): string;
}

/** A repository with these files in one commit, and its base. */
export async function workTree(files: Files, before = ":"): Promise<WorkTree> {
  const folder = temporaryFolder();
  sh(folder, `git init -q -b main && ${identity}`);
  writeFiles(folder, files);
  sh(folder, "git add -A && git commit -q --allow-empty -m base");
  sh(folder, before);
  return withBase(folder);
}

export async function withBase(
  folder: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<WorkTree> {
  const clean = join(temporaryFolder(), "clean");
  sh(folder, `cp -a . ${clean}`);
  const environment = await open(folder, variables);
  const base = await snapshotBase(environment);
  onTestFinished(() => forgetBase(environment, base));
  return {
    folder,
    environment,
    base,
    act: (script) => sh(folder, script),
    extract: (maxFileBytes = 20_000_000) => extractPatch(environment, base, { maxFileBytes }),
    applied: (patch) => {
      const file = join(temporaryFolder(), "x.diff");
      writeFileSync(file, patch.bytes);
      if (patch.bytes.length > 0) sh(clean, `git apply --whitespace=nowarn ${file}`);
      return clean;
    },
  };
}

export function textOf(patch: Patch): string {
  return Buffer.from(patch.bytes).toString("latin1");
}
