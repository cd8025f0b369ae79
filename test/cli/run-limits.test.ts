import { describe, expect, it } from "vitest";
import { failure, openaiServer, reply } from "../loopback/openai-server.ts";
import {
  copiesOf,
  fix,
  issue,
  onlyRun,
  pmcoder,
  put,
  readText,
  replayOf,
  runIssue,
  sh,
  submit,
  summaryIn,
  world,
} from "./run-world.ts";

const fixed = "+answer = 42\n";
const callOf = (command: string) => ({
  content: "So.",
  calls: [{ id: "c", name: "bash", arguments: JSON.stringify({ command }) }],
  finish: "tool_calls",
});

/** A server to ask, and no call of the planner's before the first step. */
const serverAt = (url: string) => ["--base-url", `${url}/v1`, "-c", "planner.on=false"];

describe("pmcoder run ends with status 3 and the patch so far", () => {
  it("at the step limit", async () => {
    const at = world();
    const { code, err } = await runIssue(
      at,
      replayOf(at, fix, "true", submit),
      "--step-limit",
      "2",
    );
    expect(code).toBe(3);
    expect(err).toContain("step_limit: 2 of 2 steps used");
    expect(err).toMatch(/next +pmcoder apply last/);
    expect(readText(onlyRun(at), "patch.diff")).toContain(fixed);
    expect(summaryIn(onlyRun(at))).toMatchObject({
      exit_status: "step_limit",
      exit_code: 3,
      steps: 2,
    });
    expect(copiesOf(at)).toEqual([]);
  });

  it("at the time limit", async () => {
    const at = world();
    const model = replayOf(at, `${fix}; sleep 1`, "true", submit);
    const { code } = await runIssue(at, model, "--time-limit", "1");
    expect(code).toBe(3);
    expect(readText(onlyRun(at), "patch.diff")).toContain(fixed);
    expect(summaryIn(onlyRun(at))).toMatchObject({ exit_status: "time_limit", steps: 1 });
  });

  it("at the cost limit, before a call that would not fit is made", async () => {
    const at = world();
    const ran = await pmcoder(
      at,
      ["run", issue, "--model", "anthropic:claude-sonnet-4-5", "--cost-limit", "0.01", "--yes"],
      { env: { ANTHROPIC_API_KEY: "none" } },
    );
    expect(ran.code).toBe(3);
    expect(ran.err).toContain(
      "cost_limit: $0.0000 of $0.0100 spent, and the next call may cost $0.12",
    );
    expect(summaryIn(onlyRun(at))).toMatchObject({ steps: 0, cost: 0, patch: { bytes: 0 } });
  });

  it("when the context is used up", async () => {
    const at = world();
    const server = await openaiServer();
    const tooLong = { message: "This model's maximum context length is 8192 tokens." };
    server.answer(reply(callOf(fix)), failure(400, tooLong));
    const { code, err } = await runIssue(at, "openai:a", ...serverAt(server.url));
    await server.close();
    expect(err).toContain("context_exhausted: The prompt no longer fits");
    expect(code).toBe(3);
    expect(readText(onlyRun(at), "patch.diff")).toContain(fixed);
  });
});

describe("pmcoder run ends with status 6 and the patch so far", () => {
  it("when a recording is used up", async () => {
    const at = world();
    const { code, err } = await runIssue(at, replayOf(at, fix));
    expect(code).toBe(6);
    expect(err).toMatch(
      /model_unavailable: replay:.* holds 1 replies and reply 2 was asked for: this run needs more steps/,
    );
    expect(readText(onlyRun(at), "patch.diff")).toContain(fixed);
    expect(err).toContain(`resume  pmcoder resume ${summaryIn(onlyRun(at)).run}`);
    expect(copiesOf(at)).toHaveLength(1);
  });

  it("when a server refuses the key half-way", async () => {
    const at = world();
    const server = await openaiServer();
    server.answer(reply(callOf(fix)), failure(401, { message: "no such key" }));
    const { code, err } = await runIssue(at, "openai:a", ...serverAt(server.url));
    await server.close();
    expect(code).toBe(6);
    expect(err).toContain("Check the key in PMCODER_API_KEY");
    expect(readText(onlyRun(at), "patch.diff")).toContain(fixed);
  });
});

describe("pmcoder run ends with", () => {
  it("status 4 when nothing was changed, unless a task wants no patch", async () => {
    const at = world();
    const model = replayOf(at, "true", submit);
    const { code, err } = await runIssue(at, model);
    expect(code).toBe(4);
    expect(err).toContain("no_patch: submitted at step 2, but the patch is empty");
    expect(readText(onlyRun(at), "patch.diff")).toBe("");
    const task = put(at, "task.md", `${issue}\n`);
    const asTask = ["run", "--task", task, "--model", model, "--yes", "--output", "../task"];
    expect((await pmcoder(at, asTask)).code).toBe(0);
  });

  it.each([
    { given: "the default cost limit", more: [] },
    {
      given: "a cost limit and --allow-unknown-cost",
      more: ["--cost-limit", "1", "--allow-unknown-cost"],
    },
  ])("status 0 without counting money where no price is known, at $given", async ({ more }) => {
    const at = world();
    const server = await openaiServer();
    server.answer(reply(callOf(`env; ${fix}`)), reply(callOf(submit)));
    // The same server under an address that is not known as this machine's own.
    const elsewhere = server.url.replace("127.0.0.1", "0.0.0.0");
    const line = ["run", issue, "--model", "openai:a", "--yes", ...serverAt(elsewhere), ...more];
    const { code, err } = await pmcoder(at, line, { env: { PMCODER_API_KEY: "secret-3" } });
    await server.close();
    expect(code).toBe(0);
    const warning = "The price of openai:a is not known: steps and time are limited, money is not.";
    if (more.length === 0) expect(err).toContain(warning);
    expect(summaryIn(onlyRun(at))).toMatchObject({ exit_status: "submitted", cost: null });
    expect(server.received[0]?.headers["authorization"]).toBe("Bearer secret-3");
    expect(sh(at.repo, "grep -rlF secret-3 . || true")).toBe("");
  });
});
