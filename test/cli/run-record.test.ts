import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RecordedEvent } from "../../src/domain/episode.ts";
import { openaiServer, reply } from "../loopback/openai-server.ts";
import {
  eventsOf,
  fix,
  issue,
  namesIn,
  onlyRun,
  put,
  readText,
  replayOf,
  runFolders,
  runIssue,
  submit,
  summaryIn,
  type World,
  world,
} from "./run-world.ts";

/** Events without what differs between two runs of the same: names, places, times. */
function comparable(events: readonly RecordedEvent[]): unknown {
  return events.map(({ run: _run, at: _at, ...event }) => {
    if (event.type === "begin") {
      const base = { ...event.base, store: "" };
      return { ...event, model: "", output: "", config: null, base, site: null };
    }
    if (event.type === "reply") return { ...event, seconds: 0 };
    if (event.type === "observation") return { ...event, seconds: 0 };
    return event.type === "end" ? { ...event, seconds: 0 } : event;
  });
}

const bash = (id: string, command: string) => ({
  id,
  name: "bash",
  arguments: JSON.stringify({ command }),
});

describe("pmcoder run --record", () => {
  it("writes a cassette whose replay is the same run", async () => {
    const at = world();
    const server = await openaiServer();
    server.answer(
      reply({ content: "1. Find the answer.\n2. Correct it.", usage: null }),
      reply({ content: "Look.", calls: [bash("a", "cat answer.py"), bash("b", "ls; exit 2")] }),
      reply({ content: "I forgot what to do." }),
      reply({ calls: [bash("c", fix)], fields: { reasoning_content: "It is 41." } }),
      reply({ calls: [bash("d", submit)] }),
    );
    const live = ["--base-url", `${server.url}/v1`, "--record", "../kept.jsonl"];
    const ran = await runIssue(at, "openai:a", ...live, "--output", "../live");
    await server.close();
    expect(ran.code).toBe(0);
    const kept = `replay:${join(at.folder, "kept.jsonl")}`;
    expect((await runIssue(at, kept, "--output", "../replayed")).code).toBe(0);
    const [first, second] = [join(at.folder, "live"), join(at.folder, "replayed")];
    expect(comparable(await eventsOf(second))).toEqual(comparable(await eventsOf(first)));
    expect(summaryIn(second)).toMatchObject({ model_calls: { act: 4, other: 1 } });
    expect(summaryIn(second).tokens).toEqual(summaryIn(first).tokens);
    expect(readText(second, "patch.diff")).toBe(readText(first, "patch.diff"));
  });

  it("writes over nothing", async () => {
    const at = world();
    const model = replayOf(at, fix, submit);
    put(at, "kept.jsonl", "mine\n");
    const { code, err } = await runIssue(at, model, "--record", "../kept.jsonl");
    expect(code).toBe(2);
    expect(err).toContain("kept.jsonl exists already. Choose another name for --record");
    expect(readText(at.folder, "kept.jsonl")).toBe("mine\n");
    expect(runFolders(at)).toEqual([]);
  });

  it("leaves no empty cassette when the first call already fails", async () => {
    const at = world();
    const { code, err } = await runIssue(at, replayOf(at), "--record", "../kept.jsonl");
    expect(code).toBe(6);
    expect(err).toContain("holds 0 replies and reply 1 was asked for");
    expect(namesIn(at.folder)).not.toContain("kept.jsonl");
  });
});

describe("--output", () => {
  it.each(["summary.json", "patch.diff"])("that holds a %s is refused", async (name) => {
    const at = world();
    put(at, `earlier/${name}`, "mine\n");
    const { code, err } = await runIssue(at, replayOf(at, fix, submit), "--output", "../earlier");
    expect(code).toBe(2);
    expect(err).toContain(`holds a run's results already (${name}). Choose another --output`);
    expect(namesIn(join(at.folder, "earlier"))).toEqual([name]);
    expect(namesIn(join(at.repo, ".pmcoder"))).toEqual([]);
  });
});

/** A trajectory as mini-swe-agent writes it, from the assistant's messages. */
function trajectory(at: World, format: string, said: readonly object[]): string {
  const info = {
    config: { agent: { instance_template: "<task>\n{{task}}\n</task>" } },
    mini_version: "1.15.0",
  };
  const answer = { role: "user", content: "<returncode>0</returncode>\n<output>\n</output>" };
  const opening = [
    { role: "system", content: "Mend it." },
    { role: "user", content: `<task>\n${issue}\n</task>` },
  ];
  const messages = [...opening, ...said.flatMap((message) => [message, answer])];
  const text = JSON.stringify({ info, messages, trajectory_format: format });
  return `replay:${put(at, "recorded.traj.json", text)}`;
}

const fenced = (...commands: readonly string[]) => ({
  role: "assistant",
  content: commands.map((command) => `Now:\n\`\`\`bash\n${command}\n\`\`\``).join("\n"),
});

describe("a trajectory of mini-swe-agent as the model", () => {
  it("of version 1 goes on past more format errors than a model may make", async () => {
    const at = world();
    const wrong = [fenced(), fenced("ls", "ls"), fenced(), { role: "assistant", content: "Hm." }];
    const model = trajectory(at, "mini-swe-agent-1", [...wrong, fenced(fix), fenced(submit)]);
    const { code } = await runIssue(at, model);
    expect(code).toBe(0);
    const errors = (await eventsOf(onlyRun(at))).filter(({ type }) => type === "format_error");
    expect(errors).toHaveLength(4);
    expect(summaryIn(onlyRun(at))).toMatchObject({ steps: 6, exit_status: "submitted" });
  });

  it("of version 2 runs the calls of one turn in their order", async () => {
    const at = world();
    const call = (id: string, command: string) => ({
      id,
      type: "function",
      function: { name: "bash", arguments: JSON.stringify({ command }) },
    });
    const turn = (...calls: readonly object[]) => ({
      role: "assistant",
      content: "",
      tool_calls: calls,
    });
    const model = trajectory(at, "mini-swe-agent-1.1", [
      turn(call("a", "echo one >> log.txt"), call("b", "echo two >> log.txt; cat log.txt")),
      turn(call("c", fix), call("d", submit)),
    ]);
    const { code } = await runIssue(at, model);
    expect(code).toBe(0);
    const seen = (await eventsOf(onlyRun(at))).filter((event) => event.type === "observation");
    expect(seen.map(({ callId, output }) => [callId, output])).toEqual([
      ["a", ""],
      ["b", "one\ntwo\n"],
      ["c", ""],
      ["d", "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n"],
    ]);
    expect(summaryIn(onlyRun(at))).toMatchObject({ steps: 2, exit_code: 0 });
  });
});
