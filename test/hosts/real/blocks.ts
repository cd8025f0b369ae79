import { expect } from "vitest";
import type { ReplayLine } from "../../../src/eval/replay-line.ts";
import { pmcoder } from "../../cli/run-world.ts";
import type { Received } from "../../loopback/request-rules.ts";
import type { HostWorld } from "./host-world.ts";
import { messagesOf, textOf, turnsOf } from "./played-model.ts";

const blocksIn = (text: string): readonly string[] =>
  text.match(/\[PLANMEM\]\n[\s\S]*?\n\[\/PLANMEM\]/g) ?? [];

/** What the model read at the end of the newest tool result, request by request after the first. */
function blocksSeen(received: readonly Received[]): readonly (string | null)[] {
  return turnsOf(received)
    .slice(1)
    .map((request) => {
      const newest = messagesOf(request).at(-1);
      const text = newest?.role === "tool" ? textOf(newest) : "";
      const [block = null] = blocksIn(text);
      if (block !== null) expect(text.endsWith(`\n\n${block}`)).toBe(true);
      return block;
    });
}

/** What `pmcoder replay` makes of a recorded episode, step by step. */
export async function replayed(at: HostWorld, file: string): Promise<readonly ReplayLine[]> {
  const { code, out, err } = await pmcoder(at, ["replay", "--json", file]);
  expect(code, err).toBe(0);
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ReplayLine);
}

/**
 * Holds that each block which a replay of the episode gives stood in the request that follows its
 * step, at the end of the newest tool result, and that no request ever held one twice.
 */
export function expectBlocks(
  received: readonly Received[],
  steps: readonly ReplayLine[],
  asShown: (block: string) => string = (block) => block,
): void {
  const due = steps.map(({ block }) => block && asShown(block));
  expect(blocksSeen(received)).toEqual(due);
  expect(due.filter((block) => block !== null).length).toBeGreaterThan(2);
  for (const [at, request] of turnsOf(received).entries()) {
    const all = messagesOf(request).flatMap((message) => blocksIn(textOf(message)));
    expect(all).toEqual(due.slice(0, at).filter((block) => block !== null));
  }
  for (const { phase, block } of steps) {
    if (block !== null) expect(block).toContain(`phase=${phase} `);
  }
}
