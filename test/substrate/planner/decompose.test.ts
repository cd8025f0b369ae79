import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decompositionPrompt,
  parseDecomposition,
} from "../../../src/substrate/planner/decompose.ts";

const issue =
  "`flush()` on OutputWrapper does nothing\n\nmigrate prints its progress only at the end, because " +
  "OutputWrapper has no flush of its own and migrate calls self.stdout.flush().";

const item = (title: unknown, phase: unknown, keywords?: unknown) => ({ title, phase, keywords });
const reply = (...subtasks: unknown[]) => JSON.stringify({ subtasks });
const good = reply(item("look", "explore", ["flush"]), item("check", "verify"));

const shape = (text: string | null) => {
  const { queue, fallback } = parseDecomposition(text, issue);
  return [
    fallback,
    ...queue.map(
      ({ id, title, phase, terminal }) => `${id} ${phase} ${title}${terminal ? " (terminal)" : ""}`,
    ),
  ];
};
const skeleton = [
  "p1 explore Find the code that the issue is about",
  "p2 hypothesize State the root cause",
  "p3 implement Make the smallest change that removes the root cause",
  "p4 verify Run the failing behaviour again, and the tests around it (terminal)",
];
const plan = [null, "p1 explore look", "p2 verify check (terminal)"];

describe("parseDecomposition", () => {
  it.each<[string, string | null, readonly (string | null)[]]>([
    ["strict JSON", good, plan],
    ["a fenced block between words", `Here it is:\n\`\`\`json\n${good}\n\`\`\`\nGood luck.`, plan],
    ["an object inside prose", `I think { so }. The plan: ${good} Done.`, plan],
    ["the object after one that is no plan", `{"thought": "}"} ${good}`, plan],
    ["no reply", null, ["api", ...skeleton]],
    ["an empty reply", "", ["parse", ...skeleton]],
    ["a reply cut in the middle", good.slice(0, -9), ["parse", ...skeleton]],
    ["JSON of another shape", '["explore"]', ["parse", ...skeleton]],
    ["fewer than two items", reply(item("look", "explore")), ["parse", ...skeleton]],
    [
      "unknown phases and empty titles",
      reply(
        item("a", "research"),
        item("b", "explore"),
        item(" ", "implement"),
        item("c", "verify"),
        7,
      ),
      [null, "p1 explore b", "p2 verify c (terminal)"],
    ],
    [
      "two items of unknown phases",
      reply(item("a", "plan"), item("b", "explore")),
      ["parse", ...skeleton],
    ],
    [
      "no verification item",
      reply(item("a", "explore"), item("b", "implement")),
      [
        null,
        "p1 explore a",
        "p2 implement b",
        "p3 verify Run the failing behaviour again, and the tests around it (terminal)",
      ],
    ],
    [
      "two verification items",
      reply(item("a", "verify"), item("b", "implement"), item("c", "verify")),
      [null, "p1 verify a", "p2 implement b", "p3 verify c (terminal)"],
    ],
  ])("reads %s", (_name, text, expected) => {
    expect(shape(text)).toEqual(expected);
  });

  it("keeps eight items, seven when it has to add the verification", () => {
    const many = Array.from({ length: 12 }, (_, index) => item(`t${index}`, "explore"));
    expect(parseDecomposition(reply(...many), issue).queue.map(({ title }) => title)).toEqual([
      ...["t0", "t1", "t2", "t3", "t4", "t5", "t6"],
      "Run the failing behaviour again, and the tests around it",
    ]);
    const withCheck = [...many.slice(0, 7), item("check", "verify"), item("more", "verify")];
    expect(parseDecomposition(reply(...withCheck), issue).queue).toHaveLength(8);
  });

  it("makes one line of a title and keeps eight words", () => {
    const words = [" flush ", 3, "", ...Array.from({ length: 9 }, (_, index) => `w${index}`)];
    const long = `one\n\ttwo ${"x".repeat(200)}`;
    const [first] = parseDecomposition(
      reply(item(long, "explore", words), item("c", "verify")),
      issue,
    ).queue;
    expect(first?.title).toBe(`one two ${"x".repeat(112)}`);
    expect(first?.keywords).toEqual(["flush", "w0", "w1", "w2", "w3", "w4", "w5", "w6"]);
  });

  it("gives the skeleton the words that name the issue", () => {
    const { queue } = parseDecomposition(null, issue);
    expect(queue.map(({ keywords }) => keywords)).toEqual(
      Array.from({ length: 4 }, () => [
        "flush",
        "outputwrapper",
        "migrate",
        "nothing",
        "prints",
        "progress",
        "calls",
        "self",
      ]),
    );
  });

  it("never throws, and always ends in one terminal verification", () => {
    const anyReply = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .array(fc.record({ title: fc.string(), phase: fc.constantFrom("explore", "verify", "x") }))
        .map((subtasks) => `x${JSON.stringify({ subtasks })}`),
    );
    fc.assert(
      fc.property(anyReply, fc.string(), (text, anyIssue) => {
        const { queue } = parseDecomposition(text, anyIssue);
        expect(queue.length).toBeGreaterThanOrEqual(2);
        expect(queue.length).toBeLessThanOrEqual(8);
        expect(queue.filter(({ terminal }) => terminal).map(({ phase }) => phase)).toEqual([
          "verify",
        ]);
        expect(JSON.parse(JSON.stringify(queue))).toEqual(queue);
      }),
    );
  });

  it.each([
    ["{".repeat(100_000)],
    ["{}".repeat(100_000)],
    [`{"${"\\".repeat(999_999)}`],
    ["```\n".repeat(50_000)],
    ["```".repeat(300_000)],
  ])("reads a degenerate reply (%.4s…) in one pass", (text) => {
    expect(parseDecomposition(text, issue).fallback).toBe("parse");
  });
});

describe("decompositionPrompt", () => {
  it("shows the issue's first characters and nothing of a repository", () => {
    expect(decompositionPrompt("x".repeat(20), 12).user).toBe(`The issue:\n\n${"x".repeat(12)}`);
  });

  it("asks for the four phases and one JSON object", () => {
    expect(decompositionPrompt("x", 1).system).toMatchInlineSnapshot(`
      "You plan the repair of a software issue before anyone has opened the repository.
      Split the work into three to eight sub-tasks, in the order in which they should be done.
      Each belongs to one phase: explore (find and read the code concerned), hypothesize
      (reproduce the fault, pin down its cause), implement (change the source) or verify (show that
      the fault is gone and nothing else broke). The last one must be of phase verify.
      Keywords are names that will occur in the right files: functions, classes, modules, options.

      Answer with one JSON object and no other text:
      {"subtasks": [{"title": "at most 120 characters", "phase": "explore", "keywords": ["up to eight"]}]}"
    `);
  });
});
