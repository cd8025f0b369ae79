import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pastEpisode } from "../../experience/past-episodes.ts";
import { put, world } from "../run-world.ts";
import { bank, experience, first, json, learned } from "./remembered.ts";
import { writeTrajectory } from "./trajectory-file.ts";

describe("experience learn", () => {
  it("learns from a trajectory once, with the issue's own date and repository", async () => {
    const { at, file, rows, told, list } = await learned();
    expect(told).toMatchObject({ code: 0, out: "" });
    expect(told.err).toMatch(/^learned from 1 file: 6 added, 0 changed in \S+bank\.db\n$/);
    const all = await list();
    expect(all.map(({ kind }) => kind)).toEqual(["rep", "rep", "loc", "ref", "val", "val"]);
    expect(all[0]).toMatchObject({
      source: "experepair",
      instance_id: "team__form-1",
      repo: "team/form",
      created_at: "2026-01-01T00:00:00.000Z",
      learned_from: "team__form-1.traj.json",
      uses: 0,
      helped: 0,
      harmed: 0,
      text: "KeyError when an empty form is saved",
    });
    const again = await experience(at, "learn", file, "--dataset", rows);
    expect(again.err).toContain("0 added, 0 changed");
  });

  it("believes an index of outcomes before the run's own checks", async () => {
    const { at, file } = await learned();
    put(at, "outcomes.json", JSON.stringify([{ instance_id: "team__form-1", resolved: false }]));
    const outcomes = join(at.folder, "outcomes.json");
    const { out } = await experience(at, "learn", file, "--outcomes", outcomes, "--json");
    expect(json(out)).toMatchObject([{ file, instance_id: "team__form-1", resolved: false }]);
  });

  it("tells of a file that it cannot read, and learns from the others", async () => {
    const { at, file } = await learned();
    writeFileSync(join(at.repo, "broken.json"), "{");
    const { code, err } = await experience(at, "learn", "missing.json", "broken.json", file);
    expect(code).toBe(2);
    expect(err).toContain("missing.json cannot be read");
    expect(err).toContain("broken.json: expected a trajectory");
    expect(err).toContain("learned from 3 files");
  });

  it("wants a model where one is needed, and asks none of its own accord", async () => {
    const at = world();
    const file = writeTrajectory(at.repo, pastEpisode({ from: first }));
    const { code, err } = await experience(at, "learn", file, "--experience", "experepair");
    expect(code).toBe(0);
    expect(err).toContain("No insights are distilled: It asks a model, and none is named.");
    expect(err).toContain("6 added");
  });
});

describe("experience recall", () => {
  it("prints a record a line, of the stage asked for, and counts what is kept back", async () => {
    const { at, rows } = await learned();
    const args = ["--instance", "team__form-2", "--dataset", rows, "--json"] as const;
    const { out, err } = await experience(at, "recall", ...args, "--stage", "loc");
    expect(json(out)).toMatchObject([
      { instance_id: "team__form-1", source: "adarepair", stage: "loc", text: expect.any(String) },
    ]);
    expect(json(out)[0]?.score).toBeGreaterThan(0);
    expect(err).toBe("");
    const all = json((await experience(at, "recall", ...args)).out);
    expect(new Set(all.map(({ stage }) => stage))).toEqual(new Set(["rep", "loc", "ref", "val"]));
  });

  it("gives an issue nothing that came from itself or from later", async () => {
    const { at, rows } = await learned();
    const args = ["--dataset", rows, "--json", "--stage", "loc"] as const;
    const own = await experience(at, "recall", "--instance", "team__form-1", ...args);
    expect(own).toMatchObject({ code: 0, out: "" });
    expect(own.err).toBe("loc: kept back by the leak guard: same_instance 1\n");
  });

  it("shows people what each stage would be told", async () => {
    const { at } = await learned();
    const { out } = await experience(at, "recall", "a form raises KeyError", "--phase", "verify");
    expect(out.replace(/[0-9a-f]{10}/g, "ID")).toMatchInlineSnapshot(`
      "verify
        ID adarepair 0.452
          team__form-1, KeyError (resolved): KeyError when an empty form is saved
          At: src/form.py
          Checked with:
          from src.form import save
          save({})
        ID adarepair 0.262
          team__form-1, KeyError (resolved): KeyError when an empty form is saved
          At: src/form.py
          Checked with: python -m pytest tests/test_form.py
          Which gave: === 3 passed in 0.12s ===
      "
    `);
  });

  it("wants an issue and a bank", async () => {
    const at = world();
    const none = await experience(at, "recall", "anything");
    expect(none.code).toBe(2);
    expect(none.err).toContain("Nothing is remembered yet");
    expect(existsSync(join(at.repo, bank))).toBe(false);
    expect((await experience(at, "recall")).err).toContain("Give the issue");
  });
});

describe("what is remembered", () => {
  it("is forgotten by id, instance or repository, from every list and export", async () => {
    const { at, file, rows, list } = await learned();
    const [one, ...rest] = await list();
    await experience(at, "forget", one.id.slice(0, 10));
    expect((await list()).map(({ id }) => id)).toEqual(rest.map(({ id }) => id));
    expect((await experience(at, "export")).out).not.toContain(one.id);
    const none = await experience(at, "forget", "--instance", "team__form-1", "--repo", "a/b");
    expect(none.err).toContain("forgot 0");
    expect((await experience(at, "forget", "--repo", "Team/Form")).err).toContain("forgot 5");
    expect(await list()).toEqual([]);
    await experience(at, "learn", file, "--dataset", rows);
    expect((await experience(at, "forget", "--instance", "team__form-1")).err).toContain(
      "forgot 6",
    );
    expect(await list()).toEqual([]);
    expect(readFileSync(join(at.repo, bank)).includes("form is saved")).toBe(false);
  });

  it.each([
    [["forget"], "Say what to forget"],
    [["recall", "x", "--stage", "gen", "--phase", "verify"], "cannot be used with option '--stage"],
    [["forget", "zz"], 'No memory has an id that begins with "zz"'],
    [["edit", "zz", "x"], 'No memory has an id that begins with "zz"'],
    [["edit", "zz", " "], "The new text is empty"],
  ])("refuses %j", async (args, message) => {
    const { at, list } = await learned();
    const { code, err } = await experience(at, ...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(await list()).toHaveLength(6);
  });

  it("goes out as lines and comes back the same, with what it is found by", async () => {
    const { at, list } = await learned();
    const { out } = await experience(at, "export");
    await experience(at, "export", "--output", "memories.jsonl");
    expect(readFileSync(join(at.repo, "memories.jsonl"), "utf8")).toBe(out);
    const before = await list();
    const args = ["recall", "a form raises KeyError", "--json"] as const;
    const recalled = (await experience(at, ...args)).out;
    await experience(at, "forget", "--repo", "team/form");
    const back = await experience(at, "learn", "memories.jsonl");
    expect(back.err).toContain("6 added");
    expect(await list()).toEqual(before);
    expect((await experience(at, ...args)).out).toBe(recalled);
  });

  it("comes back from an export that was edited, and is found by what it says now", async () => {
    const { at, list } = await learned();
    const lines = json((await experience(at, "export")).out);
    await experience(at, "forget", "--repo", "team/form");
    const edited = lines.map(({ format, payload, ...line }) => {
      const outcome = { ...payload.outcome, verified: false };
      return JSON.stringify({ ...line, payload: { ...payload, outcome }, format }, null, 1);
    });
    const text = edited.map((line) => `${line.replaceAll("\n", " ")}\r\n`).join("");
    writeFileSync(join(at.repo, "edited.jsonl"), `\uFEFF${text}`);
    expect((await experience(at, "learn", "edited.jsonl")).err).toContain("6 added");
    const back = json((await experience(at, "export")).out);
    expect(lines.flatMap(({ labels }) => labels)).toContain("verified");
    expect(back.flatMap(({ labels }) => labels)).not.toContain("verified");
    const { out } = await experience(at, "recall", "a form raises KeyError", "--stage", "loc");
    expect(out).toContain("loc: nothing");
    expect(await list()).toHaveLength(6);
  });

  it.each([
    [{ learnedAt: 1.5 }, "found at learnedAt"],
    [{ uses: -1 }, "found at uses"],
    [{ payload: null }, 'found no experepair memory of the kind "rep"'],
    [{ kind: "other" }, 'found no experepair memory of the kind "other"'],
    [{ kind: "insight:tester" }, 'found no experepair memory of the kind "insight:tester"'],
    [{ system: "swe-exp" }, 'found no swe-exp memory of the kind "rep"'],
    [{ system: "repomem" }, 'found no repomem memory of the kind "rep"'],
  ])("refuses an export with %j, whole", async (change, message) => {
    const { at, list } = await learned();
    const lines = json((await experience(at, "export")).out);
    await experience(at, "forget", "--repo", "team/form");
    const edited = lines.map((line) => JSON.stringify({ ...line, ...change }));
    writeFileSync(join(at.repo, "edited.jsonl"), edited.join("\n"));
    const { code, err } = await experience(at, "learn", "edited.jsonl");
    expect([code, err]).toEqual([2, expect.stringContaining(`edited.jsonl, line 1: expected a`)]);
    expect(err).toContain(message);
    expect(await list()).toEqual([]);
  });

  it("refuses an export with a line that is none, whole", async () => {
    const { at, list } = await learned();
    const { out } = await experience(at, "export");
    await experience(at, "forget", "--repo", "team/form");
    writeFileSync(join(at.repo, "cut.jsonl"), out.slice(0, -40));
    const { code, err } = await experience(at, "learn", "cut.jsonl");
    expect(code).toBe(2);
    expect(err).toContain("cut.jsonl, line 6: expected a memory");
    expect(await list()).toEqual([]);
  });
});
