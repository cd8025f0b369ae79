import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { RunConfig } from "../../src/domain/config/run-config.ts";
import { answerHook, type HookWorld } from "../../src/hosts/hook.ts";
import { readTrouble } from "../../src/hosts/trouble.ts";
import type { HookFields } from "./events.ts";

/** A repository in a temporary folder that goes when the running test ends. */
export function hookRepository(): string {
  const repo = realpathSync(mkdtempSync(join(tmpdir(), "pmcoder-hosts-")));
  onTestFinished(() => rmSync(repo, { recursive: true, force: true }));
  mkdirSync(join(repo, ".git"));
  return repo;
}

export const sessionsIn = (repo: string) => join(repo, ".pmcoder", "hosts");

export const readIn = (repo: string, name: string) =>
  readFileSync(join(sessionsIn(repo), name), "utf8");

export const namesIn = (repo: string) => readdirSync(sessionsIn(repo)).sort();

export const troubleIn = (repo: string) =>
  readTrouble(sessionsIn(repo)).troubles.map(({ what }) => what.replaceAll(repo, "REPO"));

/** Hooks of one host in one repository, in this process. */
export function hookWorld(repo: string, more: Partial<HookWorld> = {}): HookWorld {
  return {
    host: "qwen-code",
    version: "1.0.0",
    folderOf: () => sessionsIn(repo),
    rootOf: (cwd) => cwd,
    config: async () => RunConfig.parse({}),
    redact: (value) => value,
    cwd: repo,
    now: () => 0,
    elapsed: () => 0,
    until: 1,
    ...more,
  };
}

/** The text that the model is shown after an event; null: nothing. */
export async function shown(fields: HookFields, world: HookWorld): Promise<string | null> {
  return contextIn(await answerHook(JSON.stringify(fields), world));
}

export function contextIn(answer: string | null): string | null {
  if (answer === null || answer === "") return null;
  return JSON.parse(answer).hookSpecificOutput.additionalContext;
}
