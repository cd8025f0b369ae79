import { z } from "zod";
import { UctConfig } from "./swe-exp-uct.ts";

const count = (value: number, what: string) => z.int().positive().default(value).describe(what);
const heat = (value: number, what: string) =>
  z.number().min(0).max(2).nullable().default(value).describe(what);

const table = "SWE-Exp, Table 4";

/** SWE-Exp's search (arXiv:2507.23361). */
export const SweExpSearchConfig = z.strictObject({
  maxNodes: count(20, `Nodes of the tree, the root included (${table}: 20 iterations).`),
  maxDepth: count(20, `A node of this depth is not gone on from (${table}).`),
  maxExpansions: count(3, `Children of a node (${table}).`),
  maxFinished: count(2, `Nodes with a finish below them that end the search (${table}).`),
  rootReward: z
    .number()
    .min(-100)
    .max(100)
    .default(100)
    .describe("Reward of the root, which no call judges. The published code's."),
  dualAgent: z
    .boolean()
    .default(true)
    .describe("An instructor who plans and an assistant who acts; off: one agent does both."),
  agentTemperature: heat(0.7, `Instructor and assistant (${table}); null leaves it to the model.`),
  valueTemperature: heat(0.2, `The judge of a step (${table}); null leaves it to the model.`),
  debateTemperature: heat(1, `The discriminator (${table}); null leaves it to the model.`),
  tries: count(5, "Calls until an answer can be read. The published code's."),
  discriminator: z
    .boolean()
    .default(true)
    .describe("Several finished nodes are debated; off: the mean reward of the path decides."),
  debaters: count(5, "Agents of the debate. The published code's."),
  rounds: count(3, "Rounds of the debate. The published code's."),
  observationChars: count(12_000, "Characters of what one tool shows. Our choice."),
  historySteps: count(
    12,
    "Newest steps of a path that are shown whole; earlier ones as one line each. Our choice: a prompt stays below some 40,000 tokens.",
  ),
  results: count(20, "Places that a search tool shows. Our choice."),
  viewLines: count(400, "Lines that one look at a file shows. Our choice."),
  uct: UctConfig.prefault({}).describe("How the node to go on from is picked."),
});
export type SweExpSearchConfig = z.infer<typeof SweExpSearchConfig>;
