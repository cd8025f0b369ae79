import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Commit } from "../../../src/experience/repomem/commit.ts";
import { GitLog, logFormat } from "../../../src/experience/repomem/git-log.ts";
import { gitIn, readHistory } from "../../../src/experience/repomem/read-history.ts";
import { gitAt, type Made, repositoryOf } from "./git-repository.ts";

const read = (folder: string, window = 7000) => readHistory(gitIn(folder), "HEAD", { window });

const told = (commits: readonly Commit[]) =>
  commits.map(({ message, files }) => `${message.split("\n")[0]}: ${files.join(" ")}`);

const many = Object.fromEntries(
  Array.from({ length: 1500 }, (_, n) => [`data/file ${n}.txt`, `${n}\n`]),
);

const odd: readonly Made[] = [
  { message: "Begin\n\nbody with \u0001 and é", put: { "a.py": "a\n", "old name.py": "x\n" } },
  { message: "", put: { "b.py": "b\n" } },
  { message: "Move it", move: { "old name.py": "new/näme.py" } },
  { message: "One side", put: { "c.py": "c\n" }, parents: [2] },
  { message: "Other side", put: { "d.py": "d\n" }, parents: [2] },
  { message: "Third side", put: { "e.py": "e\n" }, parents: [2] },
  { message: "Merge all", parents: [3, 4, 5] },
  { message: "Far away", put: { "f.py": "f\n" }, when: "1500001000 +51800" },
  { message: "Add everything", put: many },
  { message: "Nothing at all" },
  { message: "Base", put: { "a.py": "a2\n" }, remove: ["b.py"] },
];

describe("the history of a repository", () => {
  it("is read with merges, moves, odd zones, empty messages and huge commits in it", async () => {
    const folder = repositoryOf(odd);
    const { base, commits, files, blobs, total, shallow } = await read(folder);
    expect(base).toBe(gitAt(folder, ["rev-parse", "HEAD"]).trim());
    expect([total, shallow]).toEqual([10, false]);
    const [huge] = commits.filter(({ message }) => message === "Add everything");
    expect(huge?.files).toHaveLength(1500);
    expect(told(commits.filter((commit) => commit !== huge))).toEqual([
      "Base: a.py b.py",
      "Nothing at all: ",
      "Far away: f.py",
      "Third side: e.py",
      "Other side: d.py",
      "One side: c.py",
      "Move it: old name.py new/näme.py",
      ": b.py",
      "Begin: a.py old name.py",
    ]);
    expect(commits.find(({ message }) => message === "Move it")?.moves).toEqual([
      ["old name.py", "new/näme.py"],
    ]);
    const far = commits.find(({ message }) => message === "Far away");
    expect(far?.committedAt).toBe(1_500_001_000_000);
    expect(commits.at(-1)?.message).toBe("Begin\n\nbody with \u0001 and é");
    expect(files).toContain("new/näme.py");
    expect(files).not.toContain("b.py");
    expect(blobs.get("a.py")).toBe(gitAt(folder, ["rev-parse", "HEAD:a.py"]).trim());
  });

  it("keeps to its window, counts the whole, and reads a base that is the first commit", async () => {
    const folder = repositoryOf(odd.slice(0, 3));
    const { commits, total } = await read(folder, 1);
    expect([told(commits), total]).toEqual([["Move it: old name.py new/näme.py", ": b.py"], 2]);
    const first = gitAt(folder, ["rev-list", "--max-parents=0", "HEAD"]).trim();
    const alone = await readHistory(gitIn(folder), first, { window: 9 });
    expect([told(alone.commits), alone.total]).toEqual([["Begin: a.py old name.py"], 0]);
  });

  it("is read whole from any folder of it, whatever the user's settings", async () => {
    const folder = repositoryOf(odd.slice(0, 4));
    gitAt(folder, ["config", "diff.relative", "true"]);
    const { commits, files } = await read(join(folder, "new"));
    expect(told(commits)).toContain("One side: c.py");
    expect(files).toContain("a.py");
  });

  it("of a shallow clone is said to be one", async () => {
    const folder = repositoryOf(odd.slice(0, 3));
    gitAt(folder, ["clone", "-q", "--depth", "2", `file://${folder}`, "shallow"]);
    const { commits, shallow } = await read(`${folder}/shallow`);
    expect([commits.length, shallow]).toEqual([2, true]);
  });

  it("is refused where there is none", async () => {
    const folder = repositoryOf(odd.slice(0, 1));
    await expect(readHistory(gitIn(folder), "nowhere", { window: 9 })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/^nowhere names no commit of this repository\./),
    });
    gitAt(folder, ["init", "-q", "empty"]);
    await expect(read(join(folder, "empty"))).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("before the first commit there is none"),
    });
    await expect(read("/nowhere/at/all")).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/history of \/nowhere\/at\/all \(.*\)\. Expected is a git/),
    });
  });

  it("stops when it is told to", async () => {
    const folder = repositoryOf(odd.slice(0, 6));
    const controller = new AbortController();
    const reading = readHistory(gitIn(folder, controller.signal), "HEAD", {
      window: 9,
      tell: () => controller.abort(new Error("enough")),
    });
    await expect(reading).rejects.toThrow("enough");
  });
});

describe("the output of git log", () => {
  it("reads the same in pieces of any size", () => {
    const folder = repositoryOf(odd.slice(0, 8));
    const output = Buffer.from(gitAt(folder, ["log", ...logFormat, "-M", "HEAD"]));
    const whole = new GitLog();
    const expected = [...whole.push(output), ...whole.end()];
    expect(expected).toHaveLength(8);
    const cuts = fc.array(fc.integer({ min: 0, max: output.length }), { maxLength: 12 });
    fc.assert(
      fc.property(cuts, (places) => {
        const log = new GitLog();
        const ends = [...places.toSorted((a, b) => a - b), output.length];
        const found = ends.flatMap((end, at) => [
          ...log.push(output.subarray(ends[at - 1] ?? 0, end)),
        ]);
        expect([...found, ...log.end()]).toEqual(expected);
      }),
    );
  });

  it.each(["fatal: no", "\0nothing\0", `\0${"a".repeat(40)}\0\x001\0m\0\0what\0`])(
    "is refused where it is another: %j",
    (text) => {
      const log = new GitLog();
      expect(() => [...log.push(Buffer.from(text)), ...log.end()]).toThrow("git log printed");
    },
  );
});
