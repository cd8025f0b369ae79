import { expect, it } from "vitest";
import { runEpisode } from "../../src/agent/episode.ts";
import { conversationOf } from "../../src/domain/conversation.ts";
import { redactValue } from "../../src/domain/redact.ts";
import { testEpisode } from "../episode-parts.ts";
import { type Scripted, scriptedModel } from "../scripted-model.ts";
import { script } from "./grounding/place.ts";

const submit = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";
const secret = "correct-horse-battery-staple";
const secrets = [{ name: "DB_PASSWORD", value: secret }];

it("shows a secret that the reproduction prints neither to the journal nor to the model", async () => {
  const plan: Scripted = { message: { role: "assistant", content: "no plan", calls: [] } };
  const model = scriptedModel([plan, "echo 'x = 2' > src/a.py", submit]);
  const { parts, events } = await testEpisode(
    model,
    { "src/a.py": "x = 1\n" },
    {
      issue: `x is wrong with ${secret}`,
      config: { planner: { on: true }, memory: { on: true } },
      reproducer: script("bash", `echo "AssertionError: logged in with ${secret}"; exit 1`),
    },
  );
  await runEpisode({ ...parts, redact: (value) => redactValue(value, secrets) });
  const verdict = events.find((event) => event.type === "verdict");
  expect(verdict).toMatchObject({
    verdict: "fail",
    tail: /logged in with \[redacted:DB_PASSWORD\]/,
  });
  const told = model.requests.at(-1)?.messages ?? [];
  expect(JSON.stringify(told)).toContain("logged in with [redacted:DB_PASSWORD]");
  expect(JSON.stringify(model.requests)).not.toContain(secret);
  const written = events.filter(({ type }) => type !== "begin");
  expect(JSON.stringify(written)).not.toContain(secret);
  expect(conversationOf(events).slice(0, told.length)).toEqual(told);
});
