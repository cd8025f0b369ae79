import { join } from "node:path";
import { expect, it } from "vitest";
import type { RecordedEvent } from "../../src/domain/episode.ts";
import type { Purpose } from "../../src/domain/model.ts";
import { eventsOf, onlyRun, pmcoder, put, runFolders, sh, type World, world } from "./run-world.ts";

const fence = "```";
const edit = (value: number) =>
  `<edit>\n<file>answer.py</file>\n<original>\nanswer = 41\n</original>\n<patched>\nanswer = ${value}\n</patched>\n</edit>`;
const insights = {
  tester: [{ operation: "ADD", experience: "Print the very value that the issue names." }],
  coder: [{ operation: "ADD", experience: "Change the constant where it is defined." }],
};

function cassetteOf(at: World, task: string, value: number): string {
  const replies: readonly (readonly [Purpose, string])[] = [
    ["test", `${fence}python\nfrom answer import answer\nprint('answer is', answer)\n${fence}`],
    ["check", "<reproduced>YES</reproduced>"],
    ...Array.from({ length: 2 }, () => ["locate", "answer.py"] as const),
    ...Array.from({ length: 2 }, () => ["locate", "answer.py:1"] as const),
    ["patch", edit(value)],
    ["review", "<ranking>1</ranking><correct>1</correct>"],
    ["advise", "Complete."],
    ["advise", "Short."],
    ["distil", JSON.stringify(insights)],
  ];
  const header = { format: "pmcoder-cassette-1", model: "made:test", task_sha256: "0", task };
  const lines = replies.map(([purpose, content]) => ({ purpose, content, calls: [] }));
  const text = [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
  return `replay:${put(at, `${value}.jsonl`, text)}`;
}

async function solve(at: World, task: string, value: number) {
  const args = ["run", task, "--workflow", "experepair", "--environment", "local", "--yes"];
  const memory = ["--experience", "experepair", "--bank", join(at.folder, "bank.db")];
  const settings = ["patchTemperatures=[0]", "adviceTries=1"].flatMap((setting) => [
    "-c",
    `workflow.experepair.${setting}`,
  ]);
  const model = cassetteOf(at, task, value);
  const ran = await pmcoder(at, [...args, ...memory, ...settings, "--model", model]);
  return { ...ran, events: await eventsOf(runFolders(at).at(-1) ?? onlyRun(at)) };
}

/** What the first question of a purpose holds of memories across issues. */
function recalledIn(events: readonly RecordedEvent[], purpose: Purpose): string {
  const asked = events.find((event) => event.type === "question" && event.purpose === purpose);
  const text = asked?.type === "question" ? asked.messages.map(({ content }) => content) : [];
  return /\[LTM\][\s\S]*\[\/LTM\]/.exec(text.join("\n"))?.[0] ?? "";
}

it("learns from an issue, and gives the next one each agent's insights and a demonstration", async () => {
  const at = world();
  sh(at.repo, "git remote add origin https://host/a/answers.git");
  const first = await solve(at, "answer.py says 41, and it should be 42.", 42);
  expect([first.code, first.err]).toEqual([0, expect.stringMatching(/^learned: [1-9]/m)]);
  expect(recalledIn(first.events, "test")).toBe("");
  const second = await solve(at, "answer.py still says 41, and it should be 43.", 43);
  expect(second.code).toBe(0);
  const forTester = recalledIn(second.events, "test");
  expect(forTester).toContain("Print the very value");
  expect(forTester).toContain("print('answer is', answer)");
  expect(forTester).not.toContain("Change the constant");
  const forCoder = recalledIn(second.events, "patch");
  expect(forCoder).toContain("Change the constant");
  expect(forCoder).not.toContain("Print the very value");
});
