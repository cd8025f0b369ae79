import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compaction } from "../../src/agent/compact.ts";
import { elide } from "../../src/domain/elide.ts";
import type { Message } from "../../src/domain/message.ts";

/** A conversation whose n-th turn makes as many calls as the n-th list has lengths of results. */
function conversation(turns: readonly (readonly number[])[]): readonly Message[] {
  const opening: readonly Message[] = [
    { role: "system", content: "s".repeat(5000) },
    { role: "user", content: "t".repeat(5000) },
  ];
  return [...opening, ...turns.flatMap(turnOf)];
}

function turnOf(lengths: readonly number[], before: number): readonly Message[] {
  const ids = lengths.map((_, at) => `call-${before + 1}-${at + 1}`);
  const calls = ids.map((id) => ({ id, name: "bash", input: { command: "c".repeat(900) } }));
  const said: Message = { role: "assistant", content: "I look.", calls };
  const results = lengths.map((length, at): Message => {
    return { role: "tool", callId: ids[at] ?? "", content: "o".repeat(length) };
  });
  return [
    said,
    ...(results.length > 0 ? results : [{ role: "user" as const, content: "No call." }]),
  ];
}

const line = (step: number, chars: number) =>
  `[Left out to save room: the output of step ${step}, ${chars} characters. Run the command again if you need it.]`;
const resultsOf = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === "tool" ? [message.content] : []));
const sizeOf = (messages: readonly Message[]) =>
  messages.reduce((sum, { content }) => sum + content.length, 0);

describe("compaction", () => {
  const messages = conversation([[1000], [2000, 150], [], [3000], [4000]]);

  it.each([
    // A line is 101 characters with a one-digit step and a four-digit size.
    { chars: 1, keepTurns: 1, expected: { upTo: 1, freed: 899 } },
    { chars: 899, keepTurns: 1, expected: { upTo: 1, freed: 899 } },
    { chars: 900, keepTurns: 1, expected: { upTo: 2, freed: 2798 } },
    { chars: 2799, keepTurns: 1, expected: { upTo: 4, freed: 5697 } },
    { chars: 99_999, keepTurns: 1, expected: { upTo: 4, freed: 5697 } },
    { chars: 99_999, keepTurns: 2, expected: { upTo: 2, freed: 2798 } },
    { chars: 99_999, keepTurns: 0, expected: { upTo: 5, freed: 9596 } },
    { chars: 1, keepTurns: 5, expected: null },
    { chars: 1, keepTurns: 9, expected: null },
    { chars: 0, keepTurns: 1, expected: null },
  ])(
    "that frees $chars and keeps $keepTurns turns: $expected",
    ({ chars, keepTurns, expected }) => {
      expect(compaction(messages, { chars, keepTurns })).toEqual(expected);
    },
  );

  it("finds nothing in what is elided already", () => {
    const elided = elide(messages, 4);
    expect(compaction(elided, { chars: 1, keepTurns: 1 })).toBeNull();
    expect(compaction(elide(messages, 1), { chars: 1, keepTurns: 1 })).toEqual({
      upTo: 2,
      freed: 1899,
    });
  });
});

describe("elide", () => {
  const messages = conversation([[1000], [2000, 150], [], [3000], [4000]]);

  it("puts a line in the place of each long output, and leaves everything else", () => {
    const elided = elide(messages, 4);
    expect(resultsOf(elided)).toEqual([
      line(1, 1000),
      line(2, 2000),
      "o".repeat(150),
      line(4, 3000),
      "o".repeat(4000),
    ]);
    const rest = (of: readonly Message[]) =>
      of.map((message) => (message.role === "tool" ? { ...message, content: "" } : message));
    expect(rest(elided)).toEqual(rest(messages));
  });

  it("keeps the mark of a result that says why its call was not run", () => {
    const told: Message = { role: "tool", callId: "a", content: "x".repeat(300), isError: true };
    const [call] = conversation([[1]]).slice(2);
    expect(elide([call ?? told, told], 1)[1]).toEqual({ ...told, content: line(1, 300) });
  });

  const lengths = fc.array(fc.array(fc.nat({ max: 900 }), { maxLength: 3 }), { maxLength: 8 });
  const upTo = fc.nat({ max: 9 });

  it("is done once and for all: only the largest step counts, in any order", () => {
    fc.assert(
      fc.property(lengths, upTo, upTo, (turns, a, b) => {
        const whole = conversation(turns);
        const expected = elide(whole, Math.max(a, b));
        expect(elide(elide(whole, a), b)).toEqual(expected);
        expect(elide(elide(whole, b), a)).toEqual(expected);
        expect(sizeOf(expected)).toBeLessThanOrEqual(sizeOf(elide(whole, Math.min(a, b))));
      }),
    );
  });

  it("frees what was promised, also of a conversation that has grown since", () => {
    const need = fc.record({ chars: fc.nat({ max: 3000 }), keepTurns: fc.nat({ max: 4 }) });
    fc.assert(
      fc.property(lengths, need, (turns, { chars, keepTurns }) => {
        const whole = conversation(turns);
        const chosen = compaction(whole, { chars, keepTurns });
        if (chosen === null) return;
        const { upTo: step, freed } = chosen;
        expect(sizeOf(elide(whole, step))).toBe(sizeOf(whole) - freed);
        expect(step).toBeLessThanOrEqual(turns.length - keepTurns);
        const grown = conversation([...turns, [700]]);
        expect(elide(grown, step).slice(0, whole.length)).toEqual(elide(whole, step));
      }),
    );
  });
});
