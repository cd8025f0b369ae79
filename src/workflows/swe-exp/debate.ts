import { z } from "zod";
import type { Message } from "../../domain/message.ts";
import {
  meanTrajectoryReward,
  type SearchNode,
  type SearchTree,
} from "../../domain/search-tree.ts";
import { askUntilRead, type Say } from "../../experience/ask-until-read.ts";
import { bestByMean } from "./select.ts";

interface Opinion {
  /** Id of a node. */
  readonly choice: number;
  readonly reason: string;
}

export interface DebateRules {
  readonly debaters: number;
  readonly rounds: number;
  readonly tries: number;
}

/** Who decided, and for which node. */
export interface Verdict extends Opinion {
  readonly by: "debate" | "mean reward";
}

/** Characters of a diff that a debater is shown. Our choice. */
const diffChars = 6000;

/**
 * Agents choose among finished nodes, see each other's choices and choose again (SWE-Exp's
 * discriminator). The most votes of the last round win; where votes are equal or none could be
 * read, the mean reward of the path decides. A round in which all agree is the last.
 */
export async function debate(
  say: Say,
  issue: string,
  tree: SearchTree,
  among: readonly SearchNode[],
  rules: DebateRules,
): Promise<Verdict> {
  let opinions: readonly Opinion[] = [];
  for (let round = 0; round < rules.rounds; round++) {
    const heard = await oneRound(say, debateQuestion(issue, tree, among, opinions), among, rules);
    if (heard.length > 0) opinions = heard;
    const isUnanimous = heard.length === rules.debaters && choicesOf(heard).size === 1;
    if (isUnanimous) break;
  }
  return count(tree, among, opinions);
}

const choicesOf = (opinions: readonly Opinion[]) => new Set(opinions.map(({ choice }) => choice));

async function oneRound(
  say: Say,
  question: readonly Message[],
  among: readonly SearchNode[],
  { debaters, tries }: DebateRules,
): Promise<readonly Opinion[]> {
  const schema = z.object({
    choice: z.coerce.number().refine((choice) => among.some(({ id }) => id === choice), {
      message: `expected one of ${among.map(({ id }) => id).join(", ")}`,
    }),
    reason: z.string().catch(""),
  });
  const opinions: Opinion[] = [];
  for (let agent = 0; agent < debaters; agent++) {
    const read = await askUntilRead(say, question, schema, tries);
    if (read.ok) opinions.push(read.value);
  }
  return opinions;
}

function count(
  tree: SearchTree,
  among: readonly SearchNode[],
  opinions: readonly Opinion[],
): Verdict {
  const votes = (id: number) => opinions.filter(({ choice }) => choice === id).length;
  const most = Math.max(0, ...among.map(({ id }) => votes(id)));
  const leading = among.filter(({ id }) => votes(id) === most);
  const [first] = leading;
  if (most > 0 && first !== undefined && leading.length === 1) {
    const reason = opinions.findLast(({ choice }) => choice === first.id)?.reason ?? "";
    return { by: "debate", choice: first.id, reason };
  }
  const best = bestByMean(tree, leading);
  const why = most > 0 ? "the debate ended even" : "the debate came to nothing";
  return { by: "mean reward", choice: best?.id ?? 0, reason: why };
}

function debateQuestion(
  issue: string,
  tree: SearchTree,
  among: readonly SearchNode[],
  opinions: readonly Opinion[],
): readonly Message[] {
  const shown = among.map((node) =>
    [
      `Candidate ${node.id}, mean reward of its path ${meanTrajectoryReward(tree, node.id).toFixed(1)}:`,
      node.diff === "" ? "(changes nothing)" : node.diff.slice(0, diffChars),
      `Judged: ${node.reward?.explanation ?? "not at all"}`,
    ].join("\n"),
  );
  const others = opinions.map(({ choice, reason }) => `- ${choice}: ${reason}`);
  return [
    {
      role: "system",
      content: [
        "Several attempts at one issue are finished. Choose the one whose change most surely resolves",
        "it and breaks nothing else. Where others have said their choice, weigh their reasons, and",
        "change your mind only for a reason.",
        "",
        "Answer with one JSON object and no other text:",
        '{"choice": <id of a candidate>, "reason": "…"}',
      ].join("\n"),
    },
    {
      role: "user",
      content: [
        `The issue:\n${issue}`,
        ...shown,
        ...(others.length === 0 ? [] : [`What was chosen so far:\n${others.join("\n")}`]),
      ].join("\n\n"),
    },
  ];
}
