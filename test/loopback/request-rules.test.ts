import { describe, expect, it } from "vitest";
import { anthropicRules } from "./anthropic-rules.ts";
import { openaiRules } from "./openai-rules.ts";
import type { Received, Rules } from "./request-rules.ts";

type Message = Record<string, unknown>;

const bash = { name: "bash" };
const envelope = { model: "m-1", max_tokens: 100, tools: [bash] };
const headers = { authorization: "Bearer k" };

/** What `rules` say of a request with these messages, after requests with those. */
function saidBy(rules: Rules, path: string) {
  return (messages: readonly Message[], ...before: readonly (readonly Message[])[]) =>
    rules(
      [...before, messages].map(
        (one): Received => ({ path, headers, body: { ...envelope, messages: one } }),
      ),
    );
}

const text = (of: string) => ({ type: "text", text: of });
const use = (id: string) => ({ type: "tool_use", id, name: "bash", input: {} });
const result = (id: string, content = "out") => ({ type: "tool_result", tool_use_id: id, content });
const turn = (role: string, ...content: readonly object[]) => ({ role, content });
const task = turn("user", text("Fix it."));

describe("the rules of the Messages API", () => {
  const said = saidBy(anthropicRules, "/v1/messages");
  const fine = [
    task,
    turn("assistant", text("I look."), use("A"), use("B")),
    turn("user", result("A"), result("B"), text("Go on.")),
  ];

  it("are kept by a conversation that goes on", () => {
    expect(said(fine, [task])).toEqual([]);
    expect(said(fine, fine)).toEqual([]);
  });

  it.each([
    [[task, turn("assistant", use("A"))], "the last message is the model's own"],
    [[task, turn("assistant", use("A")), task], "calls A, and what follows answers nothing"],
    [
      [task, turn("assistant", use("A"), use("B")), turn("user", result("B"), result("A"))],
      "message 1 calls A, B, and what follows answers B, A",
    ],
    [
      [task, turn("assistant", use("A")), turn("user", result("A"), result("A"))],
      "message 1 calls A, and what follows answers A, A",
    ],
    [
      [task, turn("assistant", text("Hm.")), turn("user", result("A"))],
      "message 1 calls nothing, and what follows answers A",
    ],
    [[turn("user", result("A"))], "message 0 answers A"],
    [[...fine, ...fine.slice(1)], "message 3 uses the id A again"],
    [
      [task, turn("assistant", use("A")), turn("user", text("Well."), result("A"))],
      "message 2: text stands before a result",
    ],
    [
      [task, turn("assistant", use("A"), text("Done.")), turn("user", result("A"))],
      "message 1: text stands after a call",
    ],
    [[task, turn("assistant", { type: "thinking" }), task], "message 1 ends with thinking"],
    [[turn("user", text(" \n"))], "message 0 holds an empty text"],
    [
      [task, turn("assistant", use("A")), turn("user", result("A", "\t"))],
      "message 2 holds an empty text",
    ],
    [[task, turn("assistant"), task], "message 1 is empty"],
    [[turn("assistant", text("Hello."))], "message 0 is of assistant, and not of the user"],
    [[task, task], "message 1 is of user, and not of assistant"],
    [
      [task, turn("assistant", use("a b")), turn("user", result("a b"))],
      "message 1: an id holds a character that is refused",
    ],
    [[], "message 0 is of nobody, and not of the user"],
    [
      [turn("user", ...Array.from({ length: 5 }, () => ({ ...text("x"), cache_control: {} })))],
      "it holds 5 cache marks, and the API takes four",
    ],
  ])("are broken by %j", (messages, violation) => {
    expect(said(messages)).toContainEqual(expect.stringContaining(violation));
  });

  it("tell what was changed of an earlier request, and take no cache mark for a change", () => {
    const marked = turn("user", { ...text("Fix it."), cache_control: { type: "ephemeral" } });
    expect(said(fine, [marked])).toEqual([]);
    const other = [turn("user", text("Mend it.")), ...fine.slice(1)];
    expect(said(other, fine)).toEqual([
      expect.stringMatching(/^part 1 of the request before is changed: it was .*Fix.* is .*Mend/),
    ]);
    expect(said([task], fine)).toEqual([expect.stringMatching(/^part 2 .* is nothing$/)]);
    const [, spoke = task, answers = task] = fine;
    const dropped = [task, turn("assistant", ...spoke.content.slice(1)), answers];
    expect(said(dropped, fine)).toEqual([expect.stringMatching(/^part 2 of the request before/)]);
  });

  it("see a system prompt that changes, and keep questions with other tools apart", () => {
    const asked = (system: string, tools: readonly object[] = [bash]): Received => ({
      path: "/v1/messages",
      headers,
      body: { ...envelope, tools, system: [text(system)], messages: [task] },
    });
    expect(anthropicRules([asked("Be kind."), asked("Be quick.")])).toEqual([
      expect.stringMatching(/^part 0 .*kind.*quick/),
    ]);
    expect(anthropicRules([asked("Plan.", []), asked("Act.")])).toEqual([]);
    expect(anthropicRules([asked("Act."), asked("Plan.", []), asked("Lie.")])).toHaveLength(1);
    expect(anthropicRules([asked(" ")])).toEqual(["the system prompt is empty"]);
  });
});

describe("the rules of chat completions", () => {
  const said = saidBy(openaiRules, "/v1/chat/completions");
  const system = { role: "system", content: "You fix." };
  const user = { role: "user", content: "Fix it." };
  const calls = (...ids: readonly string[]) => ({
    role: "assistant",
    content: null,
    tool_calls: ids.map((id) => ({ id, function: { name: "bash", arguments: "{}" } })),
  });
  const answer = (id: string, content = "out") => ({ role: "tool", tool_call_id: id, content });
  const fine = [system, user, calls("A", "B"), answer("A"), answer("B"), user];

  it("are kept by a conversation that goes on", () => {
    expect(said(fine, [system, user])).toEqual([]);
    expect(said([...fine, calls("C"), answer("C")], fine)).toEqual([]);
  });

  it.each([
    [[system, user, calls("A")], "message 2 calls A, and what follows answers nothing"],
    [[user, calls("A"), user, answer("A")], "message 1 calls A, and what follows answers nothing"],
    [[user, calls("A", "B"), answer("B"), answer("A")], "answers B, A"],
    [[user, calls("A"), answer("A"), answer("A")], "answers A, A"],
    [[user, answer("A")], "message 0 calls nothing, and what follows answers A"],
    [[user, calls("A"), answer("A"), calls("A"), answer("A")], "uses the id A again"],
    [[user, { role: "assistant", content: "" }, user], "message 1 is empty"],
    [[user, { role: "assistant", content: "x", tool_calls: [] }, user], "a list of no calls"],
    [[user, { ...calls("A"), content: " " }, answer("A")], "message 1 holds an empty text"],
    [[user, calls("A"), answer("A", " ")], "message 2 is empty"],
    [[user, { role: "assistant", content: "Done." }], "the last message is the model's own"],
    [[system, calls("A"), answer("A")], "message 0 is of assistant, and not of the user"],
    [[user, system], "message 1 is a system prompt"],
    [[{ role: "developer", content: "x" }], "message 0 is of developer"],
    [
      [
        user,
        { ...calls("A"), tool_calls: [{ id: "A", function: { arguments: '{"x' } }] },
        answer("A"),
      ],
      "message 1: arguments are no JSON object",
    ],
  ])("are broken by %j", (messages, violation) => {
    expect(said(messages)).toContainEqual(expect.stringContaining(violation));
  });

  it("tell what was changed of an earlier request", () => {
    const changed = fine.with(3, answer("A", "another"));
    expect(said(changed, fine)).toEqual([expect.stringMatching(/^part 3 .*out.*another/)]);
    expect(said(fine.with(0, { ...system, content: "Lie." }), fine)).toHaveLength(1);
  });
});

describe("every request", () => {
  it.each([
    [{ path: "/v1/complete" }, "the path is /v1/complete and not /v1/messages"],
    [{ headers: {} }, "it carries no key"],
    [{ body: { ...envelope, model: "", messages: [task] } }, "it names no model"],
    [{ body: { ...envelope, max_tokens: 0, messages: [task] } }, "it allows 0 tokens"],
  ])("has a proper envelope, unlike %j", (change, violation) => {
    const right = { path: "/v1/messages", headers, body: { ...envelope, messages: [task] } };
    expect(anthropicRules([right])).toEqual([]);
    expect(anthropicRules([{ ...right, ...change }])).toEqual([violation]);
  });
});
