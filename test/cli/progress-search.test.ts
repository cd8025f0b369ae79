import { expect, it } from "vitest";
import { watchProgress } from "../../src/cli/progress.ts";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import { plain } from "../workflows/swe-exp/grown.ts";
import { begin, recorded } from "./scripted-episode.ts";
import { esc, pipe } from "./text-streams.ts";

const wanted = { thoughts: "", instructions: `look${esc}[2J`, context: "", type: "view" } as const;
const view = { tool: "ViewCode", input: {} };
const reward = { type: "reward", step: 3, feedback: "" } as const;

const search: readonly EpisodeEvent[] = [
  { type: "stage", step: 0, stage: "search", text: "Searching a tree." },
  { type: "node", step: 2, ...plain, id: 1, parent: 0, instruction: wanted, action: view },
  { ...reward, node: 1, value: 40, explanation: "It\nhelps." },
  { type: "node", step: 5, ...plain, id: 2, parent: 1, action: view, duplicate: true },
  { type: "node", step: 5, ...plain, id: 3, parent: 1, action: view, expectsCorrection: true },
  { ...reward, node: 3, value: -10, explanation: "" },
  { type: "node", step: 9, ...plain, id: 4, parent: 0, error: "No action could be read: x" },
  { type: "choice", step: 9, node: 3, by: "mean reward", reason: "the debate ended even" },
];

it("shows a search node by node, with what each was worth", () => {
  const stream = pipe();
  const watcher = watchProgress({ stream, env: {}, output: "out", now: () => 0 });
  for (const event of recorded([begin, ...search].map((one) => [0, one]))) watcher.see(event);
  watcher.close();
  expect(stream.text().split("\n").slice(1).join("\n")).toMatchInlineSnapshot(`
    "search  Searching a tree.
    node 1 below 0  ViewCode  “look␛[2J”
    node 1  worth 40  It⏎helps.
    node 2 below 1  ViewCode (as before)
    node 3 below 1  ViewCode (failed)
    node 3  worth -10
    node 4 below 0  No action could be read: x
    Node 3 is chosen by its path: the debate ended even
    "
  `);
});
