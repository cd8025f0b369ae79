import { PmcoderError } from "../src/domain/errors.ts";
import type { Message } from "../src/domain/message.ts";
import { free, type ModelRequest } from "../src/domain/model.ts";
import { nextTurn, type Spoken } from "./patient-script.ts";
import { replyOf, type Scripted, type ScriptedModel } from "./scripted-model.ts";

/** A plan of three sub-tasks, as a model writes it. */
export const plan = JSON.stringify({
  subtasks: [
    { title: "Find the sum", phase: "explore", keywords: ["calc"] },
    { title: "Correct the sum", phase: "implement", keywords: ["calc"] },
    { title: "Run the tests", phase: "verify", keywords: ["test"] },
  ],
});

function spoken(message: Message): Spoken {
  if (message.role !== "assistant") return message;
  const { role, content, calls } = message;
  return {
    role,
    content,
    calls: calls.map(({ id, input }) => ({ id, command: String(input["command"]) })),
  };
}

/** A model that keeps to a script through interruptions (see `nextTurn`), and has a plan. */
export function patientModel(script: readonly Scripted[]): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    name: "patient:test",
    price: free,
    requests,
    complete: async (request, { signal }) => {
      if (signal.aborted) throw new PmcoderError("interrupted", "aborted");
      requests.push(structuredClone(request) as ModelRequest);
      const turn = request.messages.filter(({ role }) => role === "assistant").length + 1;
      if (request.purpose === "decompose") {
        const message = { role: "assistant", content: plan, calls: [] } as const;
        return replyOf({ message }, turn);
      }
      const next = nextTurn(script, request.messages.map(spoken));
      if (next === undefined) throw new PmcoderError("model_unavailable", "script ran out");
      return replyOf(next, turn);
    },
  };
}
