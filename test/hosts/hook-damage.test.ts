import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answerHook } from "../../src/hosts/hook.ts";
import { event, mendingEvents, prompt, shell } from "./events.ts";
import {
  contextIn,
  hookRepository,
  hookWorld,
  namesIn,
  readIn,
  sessionsIn,
  shown,
  troubleIn,
} from "./hook-world.ts";

type Told = readonly [number, (repo: string) => void];

/** What the hooks of a session say when something befalls its files before the call `at`. */
async function saidWith([at, befalls]: Told, repo: string): Promise<readonly (string | null)[]> {
  const said: (string | null)[] = [];
  for (const [index, one] of mendingEvents(repo).entries()) {
    if (index === at) befalls(repo);
    said.push(await shown(one, hookWorld(repo)));
  }
  return said.map((text) => text?.replaceAll(repo, "REPO") ?? null);
}

const undisturbed = () => saidWith([-1, () => {}], hookRepository());

const file = (repo: string, name: string) => join(sessionsIn(repo), name);
const log = (repo: string) => file(repo, "s-1.jsonl");
const state = (repo: string) => file(repo, "s-1.state.json");
const rewrite = (path: string, change: (text: string) => string) =>
  writeFileSync(path, change(readFileSync(path, "utf8")));
const half = (text: string) => text.slice(0, text.length / 2);

describe("a session whose files were damaged", () => {
  it.each<[string, Told, RegExp]>([
    [
      "a state that was cut in half",
      [4, (repo) => rewrite(state(repo), half)],
      /is damaged; the session was read/,
    ],
    [
      "a state of an older version",
      [
        4,
        (repo) =>
          rewrite(state(repo), (text) => text.replace('"version":"1.0.0"', '"version":"0.9.0"')),
      ],
      /is of pmcoder 0\.9\.0; the session was read/,
    ],
    [
      "half a line that a killed process left",
      [4, (repo) => appendFileSync(log(repo), '{"type":"step","id":"c9","thou')],
      /a line is no record and was left out/,
    ],
    [
      "a record of a kind that nobody knows",
      [4, (repo) => appendFileSync(log(repo), '{"type":"dream","text":"x"}\n')],
      /a line is no record and was left out/,
    ],
  ])("goes on as if nothing had been, with %s", async (_, told, trouble) => {
    const repo = hookRepository();
    expect(await saidWith(told, repo)).toEqual(await undisturbed());
    expect(troubleIn(repo)).toEqual([expect.stringMatching(trouble)]);
  });

  it("begins anew beside a log of another version, and keeps that", async () => {
    const repo = hookRepository();
    const old = (text: string) => text.replace('"version":1', '"version":0');
    await saidWith([4, () => rewrite(log(repo), old)], repo);
    expect(troubleIn(repo)).toEqual([
      expect.stringMatching(/is of another version; it is now REPO/),
    ]);
    const aside = namesIn(repo).find((name) => name.includes(".other-")) ?? "";
    expect(readIn(repo, aside)).toContain("parse() drops the minutes");
    expect(readIn(repo, "s-1.jsonl").trim().split("\n")).toHaveLength(3);
  });

  it("makes a state anew over which the substrate stumbles", async () => {
    const repo = hookRepository();
    const hollow = (text: string) => {
      const { state, ...rest } = JSON.parse(text);
      return JSON.stringify({ ...rest, state: { ...state, substrate: { rules: {} } } });
    };
    const said = await saidWith([4, () => rewrite(state(repo), hollow)], repo);
    expect(said[4]).toBeNull();
    expect(said[5]).toBe((await undisturbed())[5]);
    expect(troubleIn(repo)).toEqual([expect.stringMatching(/^PostToolUse: TypeError/)]);
  });

  it("says nothing of a folder that cannot be written", async () => {
    const repo = hookRepository();
    writeFileSync(join(repo, ".pmcoder"), "a file where the folder should be\n");
    for (const one of mendingEvents(repo)) expect(await shown(one, hookWorld(repo))).toBeNull();
  });
});

describe("a hook without time", () => {
  it("writes the call down and leaves what is to be said to the next one", async () => {
    const repo = hookRepository();
    const said: (string | null)[] = [];
    for (const [index, one] of mendingEvents(repo).entries()) {
      const isLate = index > 1 && index < 5;
      said.push(await shown(one, hookWorld(repo, { until: isLate ? -1 : 1 })));
    }
    expect(said.slice(2, 5)).toEqual([null, null, null]);
    const whole = await undisturbed();
    expect(said[5]?.split("\n")[1]).toBe(whole[5]?.split("\n")[1]);
    expect(troubleIn(repo)).toHaveLength(3);
  });

  it("gets further with each call, however few lines it has time for", async () => {
    const repo = hookRepository();
    for (const id of "abcdefghijkl")
      await shown(shell({ id, command: `cat ${id}` }), hookWorld(repo, { until: -1 }));
    const behind = troubleIn(repo).length;
    const calls = [..."mnopqrstuvwxyz"];
    for (const id of calls) {
      let lines = 0;
      const slow = { until: 3, elapsed: () => ++lines };
      await shown(shell({ id, command: `cat ${id}` }), hookWorld(repo, slow));
    }
    // Each has time for three lines, and adds one.
    expect(troubleIn(repo).length - behind).toBeLessThan(calls.length * 0.75);
  });

  it("writes the first prompt down before anything is loaded", async () => {
    const repo = hookRepository();
    const config = () => Promise.reject(new Error("no time"));
    await shown(prompt("parse() drops the minutes"), hookWorld(repo, { config }));
    expect(readIn(repo, "s-1.jsonl")).toContain("parse() drops the minutes");
  });
});

describe("an event that makes no sense", () => {
  it.each([
    ["half a JSON", '{"hook_event_name":"PostTool', /no JSON object on standard input but/],
    ["a list", "[1]", /no JSON object/],
    ["nothing", "", /no JSON object/],
    ["no session", '{"hook_event_name":"Stop"}', /without hook_event_name, session_id or cwd/],
    ["an unknown event", JSON.stringify(event("Dreamt")), /an event that is not known: Dreamt/],
    [
      "an unknown tool",
      JSON.stringify(event("PostToolUse", { tool_name: "mcp__x", tool_input: 3 })),
      /a tool that is not known: mcp__x/,
    ],
    [
      "a tool without a name",
      JSON.stringify(event("PostToolUse", { tool_response: null })),
      /a tool that is not known: \(unnamed\)/,
    ],
  ])("is told to doctor and answered with nothing: %s", async (_, text, trouble) => {
    const repo = hookRepository();
    expect(await answerHook(text, hookWorld(repo))).toBeNull();
    expect(troubleIn(repo)).toEqual([expect.stringMatching(trouble)]);
  });

  it("is taken as far as it makes sense", async () => {
    const repo = hookRepository();
    const odd = [
      event("PostToolUse", {
        tool_name: "Bash",
        tool_input: { command: "ls" },
        tool_response: { stdout: "a", stderr: "b" },
      }),
      event("PostToolUse", {
        tool_name: "Bash",
        tool_input: { command: "ls b" },
        tool_response: "text",
      }),
      event("PostToolUse", {
        tool_name: "Bash",
        tool_input: { command: "ls c" },
        tool_response: [{ type: "text", text: "part" }],
      }),
      event("PostToolUse", { tool_name: "Bash", tool_input: null, tool_response: null }),
      event("PostToolUseFailure", {
        tool_name: "Bash",
        tool_input: { command: "make" },
        error: "Exit code 2\nno rule",
      }),
    ];
    for (const one of odd) await answerHook(JSON.stringify(one), hookWorld(repo));
    const [, ...steps] = readIn(repo, "s-1.jsonl").trim().split("\n");
    expect(
      steps
        .map((line) => JSON.parse(line))
        .map(({ command, output, exitCode }) => [command, output, exitCode]),
    ).toEqual([
      ["ls", "a\nb", 0],
      ["ls b", "text", 0],
      ["ls c", "part", 0],
      [":", "", 0],
      ["make", "no rule", 2],
    ]);
    expect(troubleIn(repo)).toEqual([]);
  });

  it("that is the host's own business is no trouble", async () => {
    const repo = hookRepository();
    for (const name of ["Stop", "PreToolUse", "Notification", "SessionEnd"]) {
      expect(contextIn(await answerHook(JSON.stringify(event(name)), hookWorld(repo)))).toBeNull();
    }
    const todo = event("PostToolUse", {
      tool_name: "TodoWrite",
      tool_input: {},
      tool_call_id: "t",
    });
    expect(await shown(todo, hookWorld(repo))).toBeNull();
    expect(await shown(shell({ id: "c1", command: "ls" }), hookWorld(repo))).not.toBeNull();
    expect(troubleIn(repo)).toEqual([]);
  });
});
