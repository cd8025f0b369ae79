import { describe, expect, it } from "vitest";
import { debate } from "../../../src/workflows/swe-exp/debate.ts";
import { grown } from "./grown.ts";

const done = { finished: true, terminal: true };
const tree = grown([
  { parent: 0, ...done, diff: "one", value: 90 },
  { parent: 0, ...done, diff: "two", value: 60 },
  { parent: 0, ...done, diff: "three", value: 30 },
]);
const among = tree.slice(1);

/** The debate of agents who say these things in turn; what was asked is kept. */
async function debated(said: readonly unknown[], debaters: number, rounds: number) {
  const prompts: string[] = [];
  const verdict = await debate(
    async (messages) => {
      prompts.push(messages.at(-1)?.content ?? "");
      const answer = said[prompts.length - 1] ?? "no more";
      return typeof answer === "string" ? answer : JSON.stringify(answer);
    },
    "issue",
    tree,
    among,
    { debaters, rounds, tries: 1 },
  );
  return { verdict, prompts };
}

const pick = (choice: unknown, reason = "r") => ({ choice, reason });

describe("the debate of the discriminator", () => {
  it("ends with the first round in which all agree", async () => {
    const { verdict, prompts } = await debated([pick(2), pick(2), pick(2)], 3, 3);
    expect(verdict).toEqual({ by: "debate", choice: 2, reason: "r" });
    expect(prompts).toHaveLength(3);
  });

  it("tells each round what the one before chose, and counts the last", async () => {
    const said = [pick(1, "first"), pick(2), pick(3), pick(3), pick("3", "changed"), pick(1)];
    const { verdict, prompts } = await debated(said, 3, 2);
    expect(verdict).toEqual({ by: "debate", choice: 3, reason: "changed" });
    expect(prompts[2]).not.toContain("What was chosen so far");
    expect(prompts[3]).toContain("- 1: first");
  });

  it.each([
    ["votes are even", [pick(2), pick(3)], 2, "the debate ended even"],
    ["nobody can be read", ["hm", pick(9)], 1, "the debate came to nothing"],
  ])("leaves it to the mean reward where %s", async (_, said, choice, reason) => {
    const { verdict } = await debated(said, 2, 1);
    expect(verdict).toEqual({ by: "mean reward", choice, reason });
  });

  it("keeps an earlier round's choices where a later one cannot be read", async () => {
    const { verdict } = await debated([pick(2), pick(2), pick(3), "x", "y", "z"], 3, 2);
    expect(verdict).toMatchObject({ by: "debate", choice: 2 });
  });
});
