import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { readCommits } from "../../../src/experience/repomem/read-commits.ts";

function fileOf(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-commits-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  writeFileSync(path, name.endsWith(".gz") ? gzipSync(text) : text);
  return path;
}

const line = (given: Readonly<Record<string, unknown>>) =>
  JSON.stringify({
    sha: "a",
    parents: ["b"],
    date: "2020-01-01T00:00:00Z",
    subject: "Fix it",
    body: "",
    files: ["x.py"],
    ...given,
  });

describe("a commit graph", () => {
  it.each(["graph.jsonl", "graph.jsonl.gz"])("is read from %s", async (name) => {
    const text = `${line({})}\n\n${line({ sha: "b", parents: [], body: "Slowly." })}\n`;
    const graph = await readCommits(fileOf(name, text));
    expect(graph.get("a")).toEqual({
      sha: "a",
      parents: ["b"],
      message: "Fix it",
      committedAt: Date.UTC(2020, 0, 1),
      files: ["x.py"],
      moves: [],
    });
    expect(graph.get("b")?.message).toBe("Fix it\n\nSlowly.");
  });

  it.each([
    ["2020-01-01T02:30:00+02:30", Date.UTC(2020, 0, 1)],
    ["2019-12-31T16:00:00-08:00", Date.UTC(2020, 0, 1)],
    ["2020-01-22T14:00:00+518:00", Date.UTC(2020, 0, 1)],
    ["2020-01-01T00:00:00", null],
    ["someday", null],
    ["", null],
  ])("has the time of %j", async (date, at) => {
    const graph = await readCommits(fileOf("graph.jsonl", line({ date })));
    expect(graph.get("a")?.committedAt).toBe(at);
  });

  it.each([
    ["graph.jsonl", `${line({})}\n{"sha": "b"}`, /graph\.jsonl:2 is no commit: expected a JSON/],
    ["graph.jsonl", "not JSON", /graph\.jsonl:1 is no commit/],
  ])("names the line that is none: %s %j", async (name, text, message) => {
    await expect(readCommits(fileOf(name, text))).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(message),
    });
  });

  it("is refused where it cannot be read", async () => {
    const broken = fileOf("graph.jsonl", "plain");
    await expect(readCommits("/nowhere/graph.jsonl")).rejects.toMatchObject({ code: "usage" });
    await expect(readCommits(join(broken, "x.jsonl.gz"))).rejects.toMatchObject({ code: "usage" });
    const damaged = fileOf("cut.jsonl", "no gzip").replace("cut.jsonl", "cut.jsonl.gz");
    writeFileSync(damaged, "no gzip");
    await expect(readCommits(damaged)).rejects.toThrow(/cut\.jsonl\.gz cannot be read/);
  });
});
