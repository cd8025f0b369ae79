import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { originOf } from "../../../src/domain/origin.ts";
import { pastEpisode } from "../../experience/past-episodes.ts";
import { put, world } from "../run-world.ts";
import { dataset, experience, first, json, learned } from "./remembered.ts";
import { writeTrajectory } from "./trajectory-file.ts";

it("learns insights from a model, and tells them at an episode's beginning", async () => {
  const at = world();
  const file = writeTrajectory(at.repo, pastEpisode({ from: first }));
  const change = { operation: "ADD", number: 0, experience: "Try an empty form first." };
  const content = JSON.stringify({ tester: [change], coder: [] });
  const header = { format: "pmcoder-cassette-1", model: "m", task_sha256: "0", task: first.issue };
  const reply = { purpose: "distil", content, calls: [], stop: "end" };
  const lines = [header, reply].map((line) => `${JSON.stringify(line)}\n`).join("");
  const model = `replay:${put(at, "cassette.jsonl", lines)}`;
  const rows = dataset(at);
  const told = await experience(at, "learn", file, "--dataset", rows, "--model", model);
  expect(told.err).toContain("6 added, 1 changed");
  const args = ["--instance", "team__form-2", "--dataset", rows, "--phase", "explore"] as const;
  const { out } = await experience(at, "recall", ...args, "--json");
  expect(json(out)[0]).toMatchObject({
    instance_id: "team__form-1",
    source: "experepair",
    stage: null,
    text: "Try an empty form first.",
  });
});

it("is put into other words where it is an insight, and keeps its origins", async () => {
  const { at, list } = await learned();
  const { issueKey } = originOf(first);
  const { issue: _, ...source } = { ...first, repo: "team/form", issueKey };
  const insight = {
    format: "pmcoder-experience-1",
    system: "experepair",
    kind: "insight:coder",
    from: { ...first, repo: "team/form" },
    payload: { text: "Use get().", sources: [source] },
    labels: [],
    learnedFrom: "form-1",
    ...{ learnedAt: 7, uses: 2, helped: 1, harmed: 1 },
  };
  writeFileSync(join(at.repo, "insight.jsonl"), JSON.stringify(insight));
  await experience(at, "learn", "insight.jsonl");
  const [before] = await list("--insights");
  expect(before).toMatchObject({ text: "Use get().", uses: 2, helped: 1, harmed: 1 });
  expect((await experience(at, "edit", before.id, "Use get() for  optional keys.")).code).toBe(0);
  const [after, ...more] = await list("--insights");
  expect(more).toEqual([]);
  expect(after).toMatchObject({
    text: "Use get() for optional keys.",
    instance_id: "team__form-1",
    learned_from: "form-1",
  });
  const record = (await list("--stage", "loc"))[0];
  const refused = await experience(at, "edit", record.id, "x");
  expect(refused.err).toContain("only insights have words of their own");
});
