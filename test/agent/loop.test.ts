import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runEpisode } from "../../src/agent/episode.ts";
import { runLoop } from "../../src/agent/loop.ts";
import { conversationOf } from "../../src/domain/conversation.ts";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import type { Message } from "../../src/domain/message.ts";
import { testEpisode } from "../episode-parts.ts";
import { type Scripted, scriptedModel } from "../scripted-model.ts";

const submit = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";
const files = { "a.txt": "1\n" };
const typesOf = (events: readonly EpisodeEvent[]) => events.map(({ type }) => type);

describe("the loop", () => {
  it("asks, runs and shows until the model submits", async () => {
    const model = scriptedModel(["cat a.txt", ["echo 2 > a.txt", "cat a.txt"], submit]);
    const { parts, events } = await testEpisode(model, files);
    expect(await runLoop(parts)).toMatchObject({ status: "submitted" });
    expect(typesOf(events)).toEqual([
      "prompt",
      ...["reply", "command", "observation"],
      ...["reply", "command", "observation", "command", "observation"],
      ...["reply", "command", "observation", "submission"],
    ]);
  });

  it("pins the requests of the baseline arm to the letter", async () => {
    const script: readonly Scripted[] = [
      "cat a.txt; exit 3",
      { message: { role: "assistant", content: "I am done.", calls: [] }, stop: "end" },
      ["printf 'caf\\303\\251 \\033[31mred\\033[0m\\n'", "true"],
      submit,
    ];
    const model = scriptedModel(script);
    const { parts } = await testEpisode(model, files);
    await runLoop(parts);
    const log = `${JSON.stringify(model.requests, null, 2)}\n`;
    await expect(log).toMatchFileSnapshot("baseline-requests.json");
  });

  it("gives every request the one before it as a prefix", async () => {
    const model = scriptedModel(["ls", ["true", "false"], "cat a.txt", submit]);
    const { parts } = await testEpisode(model, files);
    await runLoop(parts);
    for (const [index, request] of model.requests.entries()) {
      const earlier = model.requests[index - 1]?.messages ?? [];
      expect(request.messages.slice(0, earlier.length)).toEqual(earlier);
    }
  });

  it("shows a nonzero exit as data and goes on", async () => {
    const model = scriptedModel(["exit 7", submit]);
    const { parts, events } = await testEpisode(model, files);
    expect(await runLoop(parts)).toMatchObject({ status: "submitted" });
    expect(events).toContainEqual(expect.objectContaining({ type: "observation", exitCode: 7 }));
  });

  it("takes the sentinel for a submission only with exit status 0", async () => {
    const model = scriptedModel([`${submit}; exit 1`, `echo x; ${submit}`, submit]);
    const { parts } = await testEpisode(model, files);
    expect(await runLoop(parts)).toMatchObject({ reason: "submitted at step 3" });
  });

  it("takes the text after the sentinel byte for byte, however long", async () => {
    const make = "head -c 300000 /dev/urandom | tee /tmp/pmcoder-loop-bytes";
    const model = scriptedModel([`${submit}; ${make}`]);
    const { parts, folder } = await testEpisode(model, files);
    const end = await runLoop(parts);
    const written = await parts.environment.read("/tmp/pmcoder-loop-bytes");
    await parts.environment.execute("rm /tmp/pmcoder-loop-bytes", { timeoutSec: 5 });
    expect(folder).toBe(parts.environment.workdir);
    expect(Buffer.compare(end.submission ?? Buffer.alloc(0), written)).toBe(0);
  });

  it("runs none of a turn that holds a call cut at the output limit", async () => {
    const cut: Scripted = {
      message: {
        role: "assistant",
        content: "",
        calls: [{ id: "a", name: "bash", input: { command: "touch cut" }, cut: true }],
      },
      stop: "length",
    };
    const model = scriptedModel([cut, "ls", submit]);
    const { parts, events } = await testEpisode(model, files);
    await runLoop(parts);
    const listed = events.find((event) => event.type === "observation");
    expect(listed).toMatchObject({ output: "a.txt\n" });
  });

  it("ends after three replies in a row without a usable call, not after two and two", async () => {
    const prose: Scripted = { message: { role: "assistant", content: "Hm.", calls: [] } };
    const twice = await testEpisode(
      scriptedModel([prose, prose, "ls", prose, prose, submit]),
      files,
    );
    expect(await runLoop(twice.parts)).toMatchObject({ status: "submitted" });
    const thrice = await testEpisode(scriptedModel([prose, prose, prose, submit]), files);
    expect(await runLoop(thrice.parts)).toMatchObject({ status: "format_errors" });
  });

  it("ends a command that is interrupted, keeps what it printed, and calls nobody again", async () => {
    const controller = new AbortController();
    const model = scriptedModel(["echo begun; sleep 60", submit]);
    const { parts, events } = await testEpisode(model, files, { signal: controller.signal });
    setTimeout(() => controller.abort(), 300);
    expect(await runLoop(parts)).toMatchObject({ status: "interrupted" });
    expect(events.at(-1)).toMatchObject({ interrupted: true, output: "begun\n" });
    expect(model.requests).toHaveLength(1);
  });

  it("tells the model of a command that the user refused", async () => {
    const model = scriptedModel(["touch refused", "ls", submit]);
    const { parts, events } = await testEpisode(model, files, {
      decide: async ({ command }) =>
        command.startsWith("touch") ? { type: "refuse" } : { type: "run", command },
    });
    await runLoop(parts);
    const [refused, listed] = events.filter((event) => event.type === "observation");
    expect(refused).toMatchObject({ exitCode: 126 });
    expect(listed).toMatchObject({ output: "a.txt\n" });
  });

  it("answers every call exactly once, in order, whatever the model says", async () => {
    const call = fc.record({
      kind: fc.constantFrom("true", "exit 3", "malformed", "cut", "unknown"),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(call, { maxLength: 3 }), { maxLength: 6 }),
        async (turns) => {
          const script = turns.map(scriptOf);
          const config = { agent: { maxFormatErrors: null } };
          const { parts, events } = await testEpisode(scriptedModel([...script, submit]), files, {
            config,
          });
          await runLoop(parts);
          expectPaired(conversationOf(events));
        },
      ),
      { numRuns: 12 },
    );
  });
});

function scriptOf(calls: readonly { kind: string }[], turn: number): Scripted {
  const message = {
    role: "assistant" as const,
    content: "",
    calls: calls.map(({ kind }, index) => ({
      id: `call-${turn}-${index}`,
      name: kind === "unknown" ? "edit" : "bash",
      input: { command: kind },
      ...(kind === "malformed" ? { malformed: "Not JSON." } : {}),
      ...(kind === "cut" ? { cut: true as const } : {}),
    })),
  };
  return { message, stop: calls.length > 0 ? "calls" : "end" };
}

function expectPaired(messages: readonly Message[]): void {
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    const answers = messages.slice(index + 1, index + 1 + message.calls.length);
    expect(answers.map((answer) => answer.role === "tool" && answer.callId)).toEqual(
      message.calls.map(({ id }) => id),
    );
    expect(messages[index + 1 + message.calls.length]?.role).not.toBe("tool");
  }
}

describe("an episode", () => {
  it("ends with the repository's diff, told as events", async () => {
    const model = scriptedModel(["echo 2 > a.txt", submit]);
    const { parts, events } = await testEpisode(model, files);
    const end = await runEpisode(parts);
    expect(end).toMatchObject({ status: "submitted" });
    expect(Buffer.from(end.patch).toString()).toContain("-1\n+2\n");
    expect(events.slice(-2)).toMatchObject([
      { type: "patch", source: "extraction", files: ["a.txt"], applies: true },
      { type: "end", status: "submitted" },
    ]);
  });

  it("takes the submission where the arm asks for it, and keeps both", async () => {
    const model = scriptedModel(["echo 2 > a.txt", `${submit}; git diff`]);
    const { parts, events } = await testEpisode(model, files, {
      config: { agent: { patch: "submission" } },
    });
    const end = await runEpisode(parts);
    expect(end.patch).toBe(end.submission);
    expect(end.extraction.length).toBeGreaterThan(0);
    expect(events).toContainEqual(expect.objectContaining({ type: "patch", source: "submission" }));
  });

  it.each([
    { wantsPatch: true, status: "no_patch" },
    { wantsPatch: false, status: "submitted" },
  ])("is $status without a change when a patch is wanted: $wantsPatch", async (one) => {
    const { parts } = await testEpisode(scriptedModel([submit]), files, one);
    expect((await runEpisode(parts)).status).toBe(one.status);
  });

  it.each([
    { limit: { stepLimit: 1 }, status: "step_limit" },
    { limit: { costLimit: 0.01, costRule: "spent" }, status: "cost_limit" },
  ])("keeps the patch at a limit: $status", async ({ limit, status }) => {
    const price = { input: 10, cached: 10, cacheWritten: 10, output: 10 };
    const model = scriptedModel(["echo 2 > a.txt", "true", "true"], price);
    const { parts } = await testEpisode(model, files, { config: { agent: limit } });
    const end = await runEpisode(parts);
    expect(end.status).toBe(status);
    expect(end.patch.length).toBeGreaterThan(0);
  });

  it("keeps the patch when the model fails", async () => {
    const { parts } = await testEpisode(scriptedModel(["echo 2 > a.txt"]), files);
    const end = await runEpisode(parts);
    expect(end).toMatchObject({ status: "model_unavailable", reason: "script ran out" });
    expect(end.patch.length).toBeGreaterThan(0);
  });
});
