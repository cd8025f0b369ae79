import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runEpisode } from "../src/agent/episode.ts";
import { systemClock } from "../src/cli/compose.ts";
import { RunConfig } from "../src/domain/config/run-config.ts";
import type { RecordedEvent } from "../src/domain/episode.ts";
import { openLocal } from "../src/environments/local.ts";
import { openJournal } from "../src/store/sqlite.ts";
import { solveBy } from "../src/workflows/solve-by.ts";
import { sweExpSearch } from "../src/workflows/swe-exp/search.ts";
import { thinking } from "../test/workflows/swe-exp/brain.ts";
import type { Benchmark } from "./figure.ts";

const nodes = 60;
const files = 1000;

/** A repository of a thousand small files, as a search finds one. */
function layRepository(folder: string): void {
  for (let n = 0; n < files; n += 1) {
    const room = join(folder, `pkg${n % 20}`);
    mkdirSync(room, { recursive: true });
    const text = `class Shape${n}:\n    def area(self):\n        return self.side * ${n}\n`;
    writeFileSync(join(room, `shape${n}.py`), text.repeat(10));
  }
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@b", ...args], { cwd: folder });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "base");
}

/** Searches, views and edits in turn, never twice the same, and never finishes. */
function restless() {
  let turn = 0;
  const types = ["search", "view", "modify"];
  const wanted = () => ({ instructions: "go on", type: types[turn % types.length] });
  const call = () => {
    const n = turn++ % files;
    const path = `pkg${n % 20}/shape${n}.py`;
    if (n % 3 === 0) return { tool: "FindClass", input: { class_name: `Shape${n}` } };
    if (n % 3 === 1) return { tool: "ViewCode", input: { files: [{ path }] } };
    return { tool: "CreateFile", input: { path: `new/made${turn}.py`, file_text: `x = ${n}\n` } };
  };
  const value = () => ({ value: 40 + (turn % 40), explanation: "e", feedback: "f" });
  return thinking({ instruct: wanted, assist: call, value });
}

/**
 * Nodes a second of the search of SWE-Exp on this machine with a model that answers at once: what
 * the harness itself costs, a third of the nodes each searching, viewing and editing a repository
 * of a thousand files. The journal is on disk. No peer is measured: the published code runs against
 * a vector index that it has to build first.
 */
export const searchNodes: Benchmark = async () => {
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-bench-"));
  const copy = join(folder, "repo");
  mkdirSync(copy);
  layRepository(copy);
  const sweExp = { maxNodes: nodes + 1, maxDepth: nodes, discriminator: false };
  const config = RunConfig.parse({
    agent: { stepLimit: 10 * nodes },
    workflow: { name: "swe-exp", sweExp },
  });
  const journal = openJournal(join(folder, "pmcoder.db"), systemClock);
  const environment = await openLocal({
    copy,
    spool: join(folder, "outputs"),
    config: config.environment,
    env: process.env,
  });
  const made: RecordedEvent[] = [];
  const run = "20260101-000000-beef";
  try {
    await runEpisode({
      run,
      instanceId: null,
      issue: "Areas are wrong.",
      version: "0.0.0",
      output: folder,
      notices: [],
      wantsPatch: false,
      model: restless(),
      environment,
      config,
      clock: systemClock,
      signal: new AbortController().signal,
      prompts: { system: "", task: "" },
      solve: solveBy(sweExpSearch),
      record: async (added) => {
        const recorded = await journal.append(run, added);
        made.push(...recorded.filter(({ type }) => type === "node" || type === "stage"));
      },
    });
  } finally {
    await environment.close();
    await journal.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const seconds = ((made.at(-1)?.at ?? 0) - (made[0]?.at ?? 0)) / 1000;
  const n = made.filter(({ type }) => type === "node").length;
  const value = n / seconds;
  const goal = ">= 2";
  return [
    {
      figure: "search_nodes",
      value,
      unit: "1/s",
      n,
      peer: null,
      ratio: null,
      goal,
      met: value >= 2,
    },
  ];
};
