import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { rememberCommits } from "../../../src/experience/repomem/commit-memory.ts";
import { summarise } from "../../../src/experience/repomem/summarise.ts";
import { mostEdited } from "../../../src/experience/repomem/summary.ts";
import { openSummaryFile } from "../../../src/experience/repomem/summary-file.ts";
import { codeAware } from "../../../src/experience/tokenize.ts";
import { type Scripted, scriptedModel } from "../../scripted-model.ts";
import { made } from "./made-commits.ts";

const price = { input: 1000, cached: 0, cacheWritten: 0, output: 0 };
const said = (content: string): Scripted => ({
  message: { role: "assistant", content, calls: [] },
});

function shelfFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-summaries-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "state", "summaries.jsonl");
}

const sources: Readonly<Record<string, { sha: string; text: string }>> = {
  "a.py": { sha: "1", text: "def a(): pass" },
  "b.py": { sha: "2", text: "def b(): pass" },
};
const files = ["a.py", "gone.py", "b.py"].map((file, at) => ({ file, edits: 9 - at }));

async function run(path: string, script: readonly Scripted[], costLimit = 100, changed = {}) {
  const model = scriptedModel(script, price);
  const shelf = await openSummaryFile(path);
  const all: typeof sources = { ...sources, ...changed };
  const read = async (file: string) => all[file] ?? null;
  const { signal } = new AbortController();
  const told = await summarise(files, { model, shelf, read, signal, costLimit, tell: () => {} });
  return { ...told, model };
}

describe("summaries of files", () => {
  it("are asked for once for each text, and what they cost is kept", async () => {
    const path = shelfFile();
    const first = await run(path, [said("Does a.\n"), said("Does b.")]);
    expect(first.summaries).toEqual([
      {
        file: "a.py",
        edits: 9,
        summary: "Does a.",
        sourceSha: "1",
        model: "scripted:test",
        costUsd: 1,
      },
      {
        file: "b.py",
        edits: 7,
        summary: "Does b.",
        sourceSha: "2",
        model: "scripted:test",
        costUsd: 1,
      },
    ]);
    expect([first.calls, first.costUsd, first.left]).toEqual([2, 2, 0]);
    expect(first.model.requests[0]?.purpose).toBe("summarise");
    expect(first.model.requests[0]?.messages[0]?.content).toContain("def a(): pass");

    appendFileSync(path, '\n{"file": "cut');
    const again = await run(path, [said("Does more.")], 100, { "b.py": { sha: "3", text: "new" } });
    expect(again.summaries.map(({ summary }) => summary)).toEqual(["Does a.", "Does more."]);
    expect(again.calls).toBe(1);
    expect((await openSummaryFile(path)).known).toHaveLength(3);
  });

  it("end where the money ends", async () => {
    const { summaries, left } = await run(shelfFile(), [said("Does a.")], 1);
    expect([summaries.length, left]).toEqual([1, 1]);
  });

  it("are of the code that changed most: of equals what changed last, then by path", () => {
    const commits = [
      made("c1", { files: ["z.py", "new.py"] }),
      made("c2", { files: ["a.py", "b.py", "notes.md"] }),
      made("c3", { files: ["a.py", "b.py", "gone.py", "notes.md"] }),
      made("c4", { files: ["a.py"] }),
    ];
    const memory = rememberCommits(commits, { files: null, tokenize: codeAware, moves: true });
    const standing = new Set(["a.py", "b.py", "z.py", "new.py", "notes.md"]);
    expect(mostEdited(memory, standing, 3)).toEqual([
      { file: "a.py", edits: 3 },
      { file: "b.py", edits: 2 },
      { file: "new.py", edits: 1 },
    ]);
  });

  it("cannot be kept where nothing can be written", async () => {
    const file = fileURLToPath(import.meta.url);
    await expect(openSummaryFile(join(file, "summaries.jsonl"))).rejects.toMatchObject({
      code: "storage",
    });
    const path = shelfFile();
    const shelf = await openSummaryFile(path);
    writeFileSync(dirname(path), "in the way");
    const summary = { file: "a", edits: 1, summary: "", sourceSha: "1", model: "m", costUsd: null };
    await expect(shelf.keep(summary)).rejects.toMatchObject({ code: "storage" });
  });
});
