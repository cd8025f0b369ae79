import { z } from "zod";

const table = "SWE-Exp, Table 4";
const code = "the published code of SWE-Exp; its paper does not list it";

const points = (value: number, what: string) => z.number().default(value).describe(what);

/** The weights by which the search picks the node to go on from (arXiv:2507.23361, Table 4). */
export const UctConfig = z.strictObject({
  explorationWeight: points(1, `Weight of a seldom visited node (${table}).`),
  depthWeight: points(0.8, `What depth costs, and how fast the root's bonus falls (${table}).`),
  depthBonus: points(200, `Factor of the root's bonus (${table}; the code has 0).`),
  high: points(55, `A reward from here on is high (${table}; the code has 50).`),
  low: points(50, `A reward up to here is low (${table}; the code has 0).`),
  veryHigh: points(75, `A child from here on has been followed enough (${table}).`),
  highLeafBonus: points(20, `For a high node without children (${table}; the code has 50).`),
  badChildrenFactor: points(
    5,
    "Times the drop from a high node to its one child, a low edit. The code's factor; it never uses Table 4's 20.",
  ),
  watchedTools: z
    .array(z.string())
    .default(["StringReplace", "CreateFile"])
    .describe("Tools whose low reward is worth another try: those that edit, as in the code."),
  veryHighChildPenalty: points(5, `For a node with a very high child (${table}).`),
  finishedPenalty: points(50, `For a changed node above a finish of full reward (${code}).`),
  finishedReward: points(100, `What full reward is (${code}).`),
  correctionBonus: points(50, `For a node whose action failed and can be mended (${code}).`),
  diversityWeight: points(100, `For code that other expanded nodes have not looked at (${code}).`),
  duplicateChildPenalty: points(25, `Times the square of a node's duplicates (${code}).`),
  duplicateActionPenalty: points(50, `For children that use one tool again and again (${code}).`),
});
export type UctConfig = z.infer<typeof UctConfig>;
