import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { builtPmcoder } from "../endurance/built-pmcoder.ts";
import { mendingEvents } from "./events.ts";
import { contextIn, hookRepository, readIn, troubleIn } from "./hook-world.ts";

const line = (...args: readonly string[]) => [builtPmcoder(), "serve", ...args];
const variables = (repo: string) => ({ HOME: repo, PATH: process.env["PATH"] ?? "" });

function start(repo: string, ...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, line(...args), {
    cwd: repo,
    env: variables(repo),
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

function connected({ stdin, stdout }: ChildProcess): MessageConnection {
  if (!stdin || !stdout) throw new Error("no pipes");
  const connection = createMessageConnection(
    new StreamMessageReader(stdout),
    new StreamMessageWriter(stdin),
  );
  connection.listen();
  onTestFinished(() => connection.dispose());
  return connection;
}

const session = "s-1";
/** Memory recalls what is older than the newest turns. */
const fillers = ["a", "b", "c", "d"];
const observed = { session, output: "", exitCode: 0 };

describe("pmcoder serve --stdio", () => {
  it("speaks JSON-RPC, refuses what is wrong, and keeps the session over its end", async () => {
    const repo = hookRepository();
    const child = start(repo, "--stdio");
    const connection = connected(child);
    const ask = (method: string, params: object) => connection.sendRequest(method, params);
    await expect(ask("observe", { ...observed, command: "ls" })).rejects.toThrow(
      "Call begin first",
    );
    await expect(ask("begin", { session: 3 })).rejects.toThrow(/expected string.*\n.*session/);
    await expect(ask("dream", {})).rejects.toThrow("Unhandled method dream");
    expect(
      await ask("begin", { session, task: "parse() drops the minutes", root: "/testbed" }),
    ).toEqual({ session, steps: 0 });
    expect(
      await ask("observe", { ...observed, command: "cat src/parse.js", id: "c1" }),
    ).toMatchObject({
      step: 1,
      phase: "explore",
      block: expect.stringContaining("[PLANMEM]\nphase=explore"),
    });
    expect(
      await ask("observe", { ...observed, command: "cat src/parse.js", id: "c1" }),
    ).toMatchObject({ step: 1, block: null });
    await expect(ask("observe", observed)).rejects.toThrow("give either command or tool");
    const edit = { tool: "edit", input: { path: "src/parse.js", oldText: "a", newText: "b" } };
    expect(await ask("observe", { ...observed, ...edit })).toMatchObject({
      step: 2,
      phase: "implement",
    });
    expect(await ask("observe", { ...observed, tool: "mcp__x" })).toMatchObject({
      step: 2,
      block: null,
    });
    expect(await ask("verdict", { session, verdict: "fail" })).toMatchObject({ verdict: "fail" });
    for (const name of fillers) await ask("observe", { ...observed, command: `ls ${name}` });
    const recalled = await ask("recall", { session, about: "parse" });
    expect(recalled).toContainEqual(expect.objectContaining({ turn: 1, files: ["src/parse.js"] }));
    expect(await ask("end", { session })).toMatchObject({ steps: 6, blocks: 3, backtracks: 0 });
    await expect(ask("status", { session })).rejects.toThrow("Call begin first");
    child.stdin?.end();
    expect((await once(child, "exit"))[0]).toBe(0);

    const again = connected(start(repo, "--stdio"));
    expect(await again.sendRequest("begin", { session, task: "x" })).toEqual({ session, steps: 6 });
    expect(await again.sendRequest("status", { session })).toMatchObject({
      steps: 6,
      phase: "explore",
    });
    expect(readIn(repo, "s-1.jsonl")).toContain('"root":"/testbed"');
    expect(troubleIn(repo)).toEqual(["a tool that is not known: mcp__x"]);
  }, 60_000);
});

describe("pmcoder serve --mcp", () => {
  it("offers the same as tools, and recall and status", async () => {
    const repo = hookRepository();
    const client = new Client({ name: "test", version: "1" });
    onTestFinished(() => client.close());
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: line("--mcp"),
        env: variables(repo),
        cwd: repo,
      }),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "begin",
      "observe",
      "verdict",
      "end",
      "recall",
      "status",
    ]);
    const call = async (name: string, params: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: params });
      const [part] = result.content as { text: string }[];
      return { isError: result.isError === true, text: part?.text ?? "" };
    };
    await call("begin", { session, task: "parse() drops the minutes" });
    const said = await call("observe", {
      ...observed,
      command: "cat src/parse.js",
      output: "export const parse = 1;",
    });
    expect(JSON.parse(said.text).block).toContain("phase=explore");
    expect(JSON.parse((await call("status", { session })).text)).toMatchObject({
      steps: 1,
      phase: "explore",
    });
    for (const name of fillers) await call("observe", { ...observed, command: `ls ${name}` });
    expect((await call("recall", { session })).text).toContain("export const parse");
    expect(await call("status", { session: "none" })).toEqual({
      isError: true,
      text: "No session none is open here. Call begin first.",
    });
  }, 60_000);
});

describe("pmcoder serve --http", () => {
  it("answers hooks for whoever has the token, and nobody else", async () => {
    const repo = hookRepository();
    const child = start(repo, "--http");
    const [first] = (await once(child.stdout ?? child, "data")) as [Buffer];
    const { host, url } = JSON.parse(first.toString().split("\n")[0] ?? "");
    expect(host).toBe("qwen-code");
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hook\/qwen-code\?token=[0-9a-f]{32}$/);
    const post = async (to: string, body: string, type = "application/json") => {
      const response = await fetch(to, { method: "POST", body, headers: { "content-type": type } });
      return [response.status, await response.text()] as const;
    };
    const [task, call] = mendingEvents(repo).map((fields) => JSON.stringify(fields));
    expect(await post(url, task ?? "")).toEqual([200, "{}"]);
    const [status, answer] = await post(url, call ?? "");
    expect([status, contextIn(answer)]).toEqual([200, expect.stringContaining("phase=explore")]);
    expect(await post(url, "{half")).toEqual([200, "{}"]);
    expect(await post(url.replace(/token=..../, "token=0000"), call ?? "")).toEqual([403, "{}"]);
    expect(await post(url, call ?? "", "text/plain")).toEqual([405, "{}"]);
    expect(await post(url.replace("qwen-code", "other"), call ?? "")).toEqual([404, "{}"]);
    child.kill("SIGTERM");
    expect((await once(child, "exit"))[0]).toBe(0);
    expect(readIn(repo, "s-1.jsonl").trim().split("\n")).toHaveLength(3);
  }, 60_000);
});
