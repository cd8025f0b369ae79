import { describe, expect, it } from "vitest";
import { runEpisode } from "../../src/agent/episode.ts";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import { testEpisode } from "../episode-parts.ts";
import { type Api, apis, type ScriptedTurn } from "../loopback/scripted-api.ts";
import { type Answer, events as stream } from "../loopback/server.ts";

const submit: ScriptedTurn = {
  text: "Done.",
  commands: ["echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"],
};

/** An episode in which the model says this; `before` a turn, the server does something else. */
async function episode(
  api: Api,
  script: readonly ScriptedTurn[],
  { before = {}, ...config }: { before?: Record<number, Answer>; textCalls?: boolean } = {},
) {
  const server = await api.serve();
  for (const [at, turn] of script.entries()) {
    server.answer(...(before[at] ? [before[at]] : []), stream(api.say(turn, at).lines));
  }
  const { parts, events } = await testEpisode(api.open(server, {}, config), { "a.txt": "1\n" });
  const end = await runEpisode({ ...parts, wantsPatch: false });
  await server.close();
  const sent = server.received.map(({ body }) => body["messages"] as unknown[]);
  return { end, events, sent };
}

const of = <T extends EpisodeEvent["type"]>(events: readonly EpisodeEvent[], type: T) =>
  events.filter((event): event is Extract<EpisodeEvent, { type: T }> => event.type === type);
const commandsIn = (events: readonly EpisodeEvent[]) =>
  of(events, "command").map(({ command }) => command);

describe.each(apis)("over $name", (api) => {
  const cut: ScriptedTurn = {
    text: "",
    raw: '{"command": "python - <<\'EOF\'\\nprint(1)\\npri',
    stop: "limit",
  };

  it("a call cut at the output limit is not run, and the model is told to send less", async () => {
    const { end, events } = await episode(api, [cut, submit]);
    expect(end.status).toBe("submitted");
    expect(of(events, "format_error")).toMatchObject([
      {
        kind: "cut",
        answers: [{ content: expect.stringMatching(/output limit .* shorter command, or split/) }],
      },
    ]);
    expect(commandsIn(events)).toEqual(submit.commands);
  });

  it("calls that are cut again and again end the run, and nothing was run", async () => {
    const { end, events } = await episode(api, [cut, cut, cut]);
    expect(end).toMatchObject({
      status: "format_errors",
      reason: "3 replies in a row held no usable tool call",
    });
    expect(commandsIn(events)).toEqual([]);
  });

  it("an overload within a reply is told once, and leaves nothing of the half reply", async () => {
    const half = api.say({ text: "This half must not be kept", commands: ["ls"] }, 9);
    const overloaded = stream([...half.lines.slice(0, 4), api.overload]);
    const { events, sent } = await episode(api, [{ text: "I look.", commands: ["ls"] }, submit], {
      before: { 0: overloaded },
    });
    const told = events.filter(({ type }) => type === "retry" || type === "reply");
    expect(told).toMatchObject([
      { type: "retry", attempt: 1, of: 10, reason: expect.stringContaining("Overloaded") },
      { type: "reply", usage: { output: 100 } },
      { type: "reply", usage: { output: 101 } },
    ]);
    expect(sent[1]).toEqual(sent[0]);
    expect(JSON.stringify(sent)).not.toContain("must not be kept");
  });

  it("no request holds an empty text, whatever the model and its commands say", async () => {
    const { end, events, sent } = await episode(api, [
      { text: "\n", commands: ["true"] },
      { text: "" },
      { text: " \n ", thinking: "" },
      submit,
    ]);
    // The server refuses every request with an empty text.
    expect(end.status).toBe("submitted");
    expect(of(events, "observation")[0]?.content).toBe(
      "<returncode>0</returncode>\n<output>\n(no output)\n</output>",
    );
    expect(JSON.stringify(sent.at(-1))).toContain("(no text)");
  });

  it("arguments that cannot be run are answered with what was expected", async () => {
    const raws = [
      '{"command": "echo "hi""}',
      'command = "ls"',
      "",
      '{"cmd":"ls"}',
      '{"command":["ls","-l"]}',
    ];
    const look = { text: "I look.", commands: ["ls"] };
    const { end, events, sent } = await episode(api, [
      ...raws.flatMap((raw) => [{ text: "", raw }, look]),
      submit,
    ]);
    expect(end.status).toBe("submitted");
    expect(commandsIn(events)).toEqual([...raws.map(() => "ls"), ...(submit.commands ?? [])]);
    const errors = of(events, "format_error");
    expect(errors.map(({ kind }) => kind)).toEqual(raws.map(() => "malformed"));
    for (const { answers } of errors) {
      expect(answers[0]?.content).toContain('bash with {"command": "..."}');
    }
    if (api.name === "anthropic") expect(JSON.stringify(sent[1]?.at(-1))).toContain("is_error");
  });

  it("arguments in which nothing must be guessed are read", async () => {
    const wrapped = '"{\\"command\\":\\"ls\\"}"';
    const { end, events } = await episode(api, [
      { text: "JSON in a string.", raw: wrapped },
      { text: "Raw newlines.", raw: '{"command":"echo a\necho b"}' },
      submit,
    ]);
    expect(end.status).toBe("submitted");
    expect(commandsIn(events).slice(0, 2)).toEqual(["ls", "echo a\necho b"]);
  });

  it("a refusal is a reply without a call, and three of them end the run", async () => {
    const refusal: ScriptedTurn = { text: "", stop: "refusal" };
    const { end, events } = await episode(api, [refusal, refusal, refusal]);
    expect(end.status).toBe("format_errors");
    expect(of(events, "format_error").map(({ kind }) => kind)).toEqual(Array(3).fill("refusal"));
  });

  it("a refusal in the middle of a call runs nothing of it", async () => {
    const half: ScriptedTurn = { text: "", raw: '{"command": "touch x', stop: "refusal" };
    const { events } = await episode(api, [half, submit]);
    expect(commandsIn(events)).toEqual(submit.commands);
  });
});

describe("a call that a local server returns as text", () => {
  const [, openai] = apis as readonly [Api, Api];
  const tags =
    "<tool_call>\n<function=bash>\n<parameter=command>\nls -la\n</parameter>\n</function>\n</tool_call>";
  const json = '{"name":"bash","arguments":{"command":"ls -la"}}';
  const explained = `A call looks like this:\n\`\`\`json\n${json}\n\`\`\`\nShall I go on?`;

  it.each([tags, json])("is run where it is looked for: %j", async (text) => {
    const { end, events } = await episode(openai, [{ text }, submit]);
    expect(end.status).toBe("submitted");
    expect(commandsIn(events)[0]).toBe("ls -la");
  });

  it("is none where it is explained", async () => {
    const { events } = await episode(openai, [{ text: explained }, submit]);
    expect(commandsIn(events)).toEqual(submit.commands);
    expect(of(events, "format_error")).toMatchObject([{ kind: "no_call" }]);
  });

  it.each([tags, json])(
    "is told to be none where it is not, until that is enough: %j",
    async (text) => {
      const { end, events } = await episode(openai, [{ text }, { text }, { text }], {
        textCalls: false,
      });
      expect(end.status).toBe("format_errors");
      expect(commandsIn(events)).toEqual([]);
    },
  );
});
