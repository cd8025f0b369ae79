import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Message, ToolSchema } from "../../src/domain/message.ts";
import type { Model, ModelReply, ModelRequest, Retry, Usage } from "../../src/domain/model.ts";

/** A reply that the other end gives, in the terms of every adapter. */
export interface ScriptedReply {
  readonly content: string;
  readonly commands: readonly string[];
}

export interface Opened {
  readonly model: Model;
  /** What the adapter must make of the usage that its other end reports for each reply. */
  readonly usage: Usage;
  close(): Promise<void>;
}

const bash: ToolSchema = {
  name: "bash",
  description: "Runs a command.",
  parameters: {
    type: "object",
    properties: { command: { type: "string" } },
    required: ["command"],
  },
};

export const opening: readonly Message[] = [
  { role: "system", content: "You fix bugs." },
  { role: "user", content: "The sum is wrong." },
];

export function requestOf(messages: readonly Message[]): ModelRequest {
  return { purpose: "act", messages, tools: [bash], maxOutputTokens: 1000 };
}

/** A call's options, and the retries that it told of. */
export function calling(signal: AbortSignal = new AbortController().signal) {
  const retries: Retry[] = [];
  return { signal, retries, onRetry: (retry: Retry) => void retries.push(retry) };
}

/** The conversation after a reply and the results of its calls. */
export function answered(
  messages: readonly Message[],
  { message }: ModelReply,
  results: readonly string[],
): readonly Message[] {
  const tools = message.calls.map(({ id }, at): Message => {
    return { role: "tool", callId: id, content: results[at] ?? "" };
  });
  return [...messages, message, ...tools];
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}

/** What every adapter of Model does, whatever stands behind it. */
export function modelContract(
  name: string,
  open: (script: readonly ScriptedReply[]) => Promise<Opened>,
): void {
  describe(`${name} is a model`, () => {
    const script: readonly ScriptedReply[] = [
      { content: "I look around.", commands: ["ls -la"] },
      { content: "", commands: ["cat a.py", "cat 'b c.py'", 'grep -n "x\\ty" d'] },
      { content: "It is fixed.", commands: [] },
    ];
    let opened: Opened;
    beforeEach(async () => {
      opened = await open(script);
    });
    afterEach(() => opened.close());

    it("gives text, calls in order, usage and why it stopped, through a whole conversation", async () => {
      const { model, usage } = opened;
      let messages = opening;
      const ids: string[] = [];
      for (const { content, commands } of script) {
        const reply = await model.complete(requestOf(messages), calling());
        expect(reply.message.content).toBe(content);
        expect(reply.message.calls.map((call) => call.input)).toEqual(
          commands.map((command) => ({ command })),
        );
        expect(reply.message.calls.every((call) => call.name === "bash")).toBe(true);
        expect(reply.stop).toBe(commands.length > 0 ? "calls" : "end");
        expect(reply.usage).toEqual(usage);
        expect(reply.model).not.toBe("");
        ids.push(...reply.message.calls.map((call) => call.id));
        messages = answered(messages, reply, ["one", "", "three"]);
      }
      expect(new Set(ids).size).toBe(4);
    });

    it("never changes the request", async () => {
      const request = frozen(requestOf(opening));
      const reply = frozen(await opened.model.complete(request, calling()));
      const next = frozen(requestOf(answered(opening, reply, ["out"])));
      const second = await opened.model.complete(next, calling());
      await opened.model.complete(
        frozen(requestOf(answered(next.messages, second, ["a", "b", "c"]))),
        calling(),
      );
    });

    it("survives storage: a conversation that was JSON goes on as if it had not been", async () => {
      let messages = opening;
      for (const _ of script) {
        const reply = await opened.model.complete(requestOf(messages), calling());
        messages = JSON.parse(JSON.stringify(answered(messages, reply, ["x", "y", "z"])));
      }
      expect(messages.filter(({ role }) => role === "assistant")).toHaveLength(script.length);
    });
  });

  describe(`${name}, before any call`, () => {
    it("has a name and a price", async () => {
      const { model, close } = await open([]);
      expect(model.name).toMatch(/^\w+:.+/);
      expect(model.price).toEqual({ input: 0, cached: 0, cacheWritten: 0, output: 0 });
      await close();
    });

    it("can be interrupted", async () => {
      const opened = await open([]);
      const call = opened.model.complete(requestOf(opening), calling(AbortSignal.abort()));
      await expect(call).rejects.toMatchObject({ name: "PmcoderError", code: "interrupted" });
      await opened.close();
    });
  });
}
