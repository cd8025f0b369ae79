import { describe, expect, it } from "vitest";
import { runEpisode } from "../../../src/agent/episode.ts";
import type { EpisodeEvent } from "../../../src/domain/episode.ts";
import { readJsonReply } from "../../../src/domain/json-reply.ts";
import { solveBy } from "../../../src/workflows/solve-by.ts";
import { InstructionReply } from "../../../src/workflows/swe-exp/agents.ts";
import { RewardReply } from "../../../src/workflows/swe-exp/judge.ts";
import { sweExpSearch } from "../../../src/workflows/swe-exp/search.ts";
import { replySchema, toolsFor } from "../../../src/workflows/swe-exp/tools.ts";
import { testEpisode } from "../../episode-parts.ts";
import { type Brain, files, issue, solver, thinking } from "./brain.ts";

type NodeEvent = Extract<EpisodeEvent, { type: "node" }>;

/** The first node of a search in which the model answers like this, and what was asked for it. */
async function firstNode(brain: Brain) {
  const model = thinking({ ...solver, ...brain });
  const config = { workflow: { name: "swe-exp", sweExp: { maxNodes: 2 } } };
  const { parts, events } = await testEpisode(model, files, { issue, config });
  const end = await runEpisode({ ...parts, solve: solveBy(sweExpSearch) });
  const node = events.find((event): event is NodeEvent => event.type === "node");
  if (node === undefined) throw new Error("there is no node");
  const asked = model.requests.map(({ purpose }) => purpose);
  const reward = events.find(({ type }) => type === "reward");
  return { node, asked, reward, end, model };
}

const deep = '{"instructions":'.repeat(5000);

describe("an instruction", () => {
  it.each([
    ["prose", "Let me look around first."],
    ["nothing", ""],
    ["nesting without end", deep],
    ["an empty instruction", '{"instructions": "  ", "type": "view"}'],
    ["a list", "[1, 2, 3]"],
  ])("is not read in %s", (_, reply) => {
    expect(readJsonReply(InstructionReply, reply).ok).toBe(false);
  });

  it.each([
    ["fenced", '```json\n{"instructions": "find it", "type": "search"}\n```', "search"],
    ["of no type that there is", '{"instructions": "find it", "type": "dance"}', "search"],
    ["without a type", '{"instructions": "find it"}', "search"],
    ["shouted", '{"instructions": "read it", "type": " VIEW "}', "view"],
    ["broken", "{instructions: 'find it', context: {a: [1,}", "search"],
  ])("is read that is %s", (_, reply, type) => {
    expect(readJsonReply(InstructionReply, reply)).toMatchObject({ ok: true, value: { type } });
  });
});

describe("a call", () => {
  const editing = replySchema(toolsFor("modify"));
  it.each([
    ["a tool that the instruction leaves out", { tool: "Finish", input: {} }],
    ["a tool that is none", { tool: "Bash", input: { command: "rm -rf /" } }],
    ["no input", { tool: "StringReplace" }],
    [
      "no text to replace",
      { tool: "StringReplace", input: { path: "a", old_str: "", new_str: "" } },
    ],
    ["a path that is no text", { tool: "CreateFile", input: { path: 7, file_text: "" } }],
  ])("is not read with %s", (_, reply) => {
    expect(readJsonReply(editing, JSON.stringify(reply)).ok).toBe(false);
  });
});

describe("a judgement", () => {
  it.each([
    ["far too much", '{"value": 1e9}', 100],
    ["far too little", '{"value": "-500"}', -100],
    ["a fraction", '{"value": 12.6, "explanation": 7}', 13],
  ])("of %s is brought into its range", (_, reply, value) => {
    expect(readJsonReply(RewardReply, reply)).toMatchObject({ ok: true, value: { value } });
  });

  it.each(["Great!", '{"value": "very good"}', '{"value": null}', '{"value": 1e999}', "{}"])(
    "is not read in %s",
    (reply) => {
      expect(readJsonReply(RewardReply, reply).ok).toBe(false);
    },
  );
});

describe("a search whose model answers otherwise than asked", () => {
  it("gives up a node after five instructions that cannot be read", async () => {
    const { node, asked, end } = await firstNode({ instruct: () => deep });
    expect(node).toMatchObject({ terminal: true, action: null, instruction: null });
    expect(node.error).toMatch(/^No instruction could be read: /);
    expect(asked).toEqual(Array(5).fill("instruct"));
    expect(end.status).toBe("no_patch");
  });

  it("gives up a node after five calls that cannot be read", async () => {
    const instruct = () => ({ instructions: "change it", type: "modify" });
    const { node, asked } = await firstNode({ instruct, assist: () => ({ tool: "Finish" }) });
    expect(node).toMatchObject({ terminal: true, action: null, diff: "" });
    expect(node.error).toMatch(/^No action could be read: /);
    expect(asked.filter((purpose) => purpose === "assist")).toHaveLength(5);
  });

  it("leaves a node without a reward after five judgements that cannot be read", async () => {
    const { node, reward, asked } = await firstNode({ value: () => "Great!" });
    expect(node.error).toBeNull();
    expect(reward).toBeUndefined();
    expect(asked.filter((purpose) => purpose === "value")).toHaveLength(5);
  });

  it("tells the model what was wrong, and takes the answer after it", async () => {
    let calls = 0;
    const { node, model } = await firstNode({
      instruct: () => (calls++ === 0 ? "hm" : { instructions: "look", type: "search" }),
    });
    expect(node.error).toBeNull();
    expect(model.requests[1]?.messages.at(-1)?.content).toMatch(/could not be read/);
  });
});
