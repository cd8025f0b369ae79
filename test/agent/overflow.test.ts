import { describe, expect, it } from "vitest";
import { runEpisode } from "../../src/agent/episode.ts";
import { conversationOf } from "../../src/domain/conversation.ts";
import { PmcoderError } from "../../src/domain/errors.ts";
import type { Message } from "../../src/domain/message.ts";
import type { Model } from "../../src/domain/model.ts";
import { testEpisode } from "../episode-parts.ts";
import { type ScriptedModel, scriptedModel } from "../scripted-model.ts";

const files = { "a.py": "x = 1\n" };
const lengthOf = (messages: readonly Message[]) =>
  messages.reduce((sum, { content }) => sum + content.length, 0);

/** A model whose context holds so many characters. */
function narrow(model: ScriptedModel, chars: number): Model {
  return {
    ...model,
    complete: async (request, options) => {
      if (lengthOf(request.messages) <= chars) return model.complete(request, options);
      throw new PmcoderError("context_exhausted", "the prompt is too long");
    },
  };
}

const chatty = "seq 1 900";
const script = [
  chatty,
  chatty,
  chatty,
  chatty,
  chatty,
  chatty,
  "echo y >> a.py",
  "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT",
];

async function episode(overflow: "end" | "compact") {
  const model = scriptedModel(script);
  const { parts, events } = await testEpisode(narrow(model, 15_000), files, {
    config: { agent: { overflow, wrapUpShare: 0 } },
  });
  return { end: await runEpisode(parts), events, requests: model.requests };
}

describe("a context that is full", () => {
  it("ends the run, as evaluation arms do, with the work kept", async () => {
    const { end } = await episode("end");
    expect(end.status).toBe("context_exhausted");
  });

  it("is made room in where the user wants that, and the run goes on", async () => {
    const { end, events, requests } = await episode("compact");
    expect(end.status).toBe("submitted");
    const cuts = events.filter((event) => event.type === "compact");
    expect(cuts.length).toBeGreaterThan(0);
    for (const { messages } of requests) expect(lengthOf(messages)).toBeLessThanOrEqual(15_000);
    const last = requests.at(-1)?.messages ?? [];
    expect(last.filter(({ content }) => content.startsWith("[Left out")).length).toBeGreaterThan(0);
    expect(conversationOf(events).slice(0, last.length)).toEqual(last);
  });

  it("ends the run when nothing is left to give", async () => {
    const { parts } = await testEpisode(narrow(scriptedModel(script), 100), files, {
      config: { agent: { overflow: "compact" } },
    });
    expect((await runEpisode(parts)).status).toBe("context_exhausted");
  });
});
