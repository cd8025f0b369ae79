import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Base, forgetBase, snapshotBase } from "../../../src/agent/patch/base.ts";
import { RunConfig } from "../../../src/domain/config/run-config.ts";
import type { Environment } from "../../../src/domain/environment.ts";
import type { Reproducer } from "../../../src/domain/reproducer.ts";
import { openLocal } from "../../../src/environments/local.ts";
import { understandNext } from "../../../src/substrate/command.ts";
import { begin } from "../../../src/substrate/observe.ts";
import type { ShellAction } from "../../../src/substrate/shell/action.ts";
import { type Files, repository } from "../../episode-parts.ts";

/** A repository in a real shell, with the base of a run taken. */
export interface Place {
  readonly environment: Environment;
  readonly base: Base;
  readonly folder: string;
  /** Runs a command there and says what it means. */
  run(command: string): Promise<ShellAction>;
}

/** It goes when the running test ends. `path`: where the environment finds its programs. */
export async function place(files: Files, path = process.env["PATH"]): Promise<Place> {
  const folder = repository(files);
  const spool = mkdtempSync(join(tmpdir(), "pmcoder-spool-"));
  const environment = await openLocal({
    copy: folder,
    spool,
    config: RunConfig.parse({}).environment,
    env: { PATH: path, HOME: process.env["HOME"] },
  });
  const base = await snapshotBase(environment);
  onTestFinished(async () => {
    await forgetBase(environment, base);
    await environment.close();
    rmSync(spool, { recursive: true, force: true });
  });
  let state = begin("", {
    config: RunConfig.parse({}),
    root: environment.workdir,
    files: base.files,
  });
  return {
    environment,
    base,
    folder,
    run: async (command) => {
      const { action, shell } = understandNext(state, command);
      state = { ...state, shell };
      await environment.execute(command, { timeoutSec: 20 });
      return action;
    },
  };
}

export function script(lang: Reproducer["lang"], text: string): Reproducer {
  return { lang, text, sha256: createHash("sha256").update(text).digest("hex") };
}

/** A file outside the repository in which a script can leave a mark each time it runs. */
export function tally(): { readonly file: string; count(): number } {
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-tally-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "runs");
  appendFileSync(file, "");
  const count = () => Number(execFileSync("wc", ["-l", file], { encoding: "utf8" }).split(" ")[0]);
  return { file, count };
}
