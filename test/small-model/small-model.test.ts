import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { capable } from "../capabilities.ts";
import { eventsOf, issue, onlyRun, pmcoder, put, summaryIn, world } from "../cli/run-world.ts";

/** A folder with node-llama-cpp's modules and the model file `model.gguf`. */
const folder = process.env["PMCODER_SMALL_MODEL"] ?? "";
const file = join(folder, "model.gguf");
const here = capable("smallmodel", () => folder !== "" && existsSync(file));
const steps = 60;

describe.runIf(here)("a small real model, which loops and rambles and mends nothing", () => {
  let server: ChildProcess;
  let url = "";
  beforeAll(async () => {
    const program = fileURLToPath(new URL("server.mjs", import.meta.url));
    server = spawn(process.execPath, [program, folder, file], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (server.stdout === null) throw new Error("no output");
    const [line] = await once(server.stdout, "data");
    url = String(line).trim();
  }, 120_000);
  afterAll(() => void server.kill());

  it("comes to an honest end within 60 steps, and no loop of it goes unseen", {
    timeout: 900_000,
  }, async () => {
    const at = world();
    put(at, "project/notes.txt", "nothing yet\n");
    const args = ["run", issue, "--yes", "--model", "openai:smollm2", "--base-url", url];
    const limits = ["--step-limit", `${steps}`, "--overflow", "compact"];
    const settings = ["-c", "model.maxOutputTokens=96", "-c", "agent.maxFormatErrors=null"];
    const { code } = await pmcoder(at, [...args, ...limits, ...settings]);
    const folderOfRun = onlyRun(at);
    const summary = summaryIn(folderOfRun);
    const events = await eventsOf(folderOfRun);
    expect(events.at(-1)?.type).toBe("end");
    // It may happen to repeat the words that submit, or to fill its window with its own rambling,
    // which no elided observation makes room for; else nothing but the limit ends it.
    const honest = { step_limit: 3, context_exhausted: 3, no_patch: 4, submitted: 0 };
    expect(honest).toHaveProperty(summary.exit_status, code);
    expect(summary.steps).toBeLessThanOrEqual(steps);
    if (summary.exit_status === "step_limit") expect(summary.steps).toBe(steps);
    // No call goes without an answer.
    const asked = events.flatMap((event) =>
      event.type === "reply" && event.purpose === "act" ? event.message.calls : [],
    );
    const answered = new Set(
      events.flatMap((event) => {
        if (event.type === "observation") return [event.callId];
        return event.type === "format_error" ? event.answers.map(({ callId }) => callId) : [];
      }),
    );
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter(({ id }) => !answered.has(id))).toEqual([]);
    const commands = events.flatMap((event) => (event.type === "command" ? [event.command] : []));
    const loops = commands.some((command, at) =>
      [1, 2, 3, 4].every((ahead) => commands[at + ahead] === command),
    );
    const seen = events.some(
      (event) => event.type === "advice" && (event.hint !== null || event.stuck !== null),
    );
    process.stdout.write(`${JSON.stringify({ steps: summary.steps, loops, seen })}\n`);
    if (loops) expect(seen).toBe(true);
  });
});
