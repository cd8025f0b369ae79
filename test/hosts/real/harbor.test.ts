import { execFile } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { capable } from "../../capabilities.ts";
import { cassetteText, put, readText, submit, world } from "../../cli/run-world.ts";
import { hostsFolder } from "./npm-hosts.ts";

const execute = promisify(execFile);
const python = join(hostsFolder, "harbor", "bin", "python");
const here = capable("hosts", () => existsSync(python));
const project = fileURLToPath(new URL("../../..", import.meta.url));
const program = fileURLToPath(new URL("run-harbor.py", import.meta.url));

const task =
  "Write the sum of all numbers in data.txt to sum.txt.\nIt's urgent: $HOME is watching.";
const commands = [
  "cat data.txt",
  "awk '{ s += $1 } END { print s }' data.txt > sum.txt",
  "cat sum.txt",
  submit,
];

describe.runIf(here)("Harbor 0.25.0", () => {
  it("installs the agent from a folder, lets it do a task, and takes its trajectory", {
    timeout: 300_000,
  }, async () => {
    const at = world();
    const folder = join(at.folder, "app");
    mkdirSync(folder);
    put(at, "app/data.txt", "3\n4\n");
    const cassette = put(at, "cassette.jsonl", cassetteText(commands, task));
    const { stdout } = await execute(
      python,
      [program, project, folder, `replay/${cassette}`, "full", task],
      {
        // The way to the package registry is this machine's.
        env: {
          ...process.env,
          HOME: at.home,
          PATH: [dirname(process.execPath), "/usr/bin", "/bin"].join(":"),
          PYTHONPATH: join(project, "src", "hosts", "harbor"),
          PYTHONDONTWRITEBYTECODE: "1",
          LITELLM_LOCAL_MODEL_COST_MAP: "True",
          npm_config_cache: process.env["npm_config_cache"] ?? join(homedir(), ".npm"),
        },
      },
    );
    const { valid, errors, left, context } = JSON.parse(stdout);
    expect({ valid, errors }).toEqual({ valid: true, errors: [] });
    expect(readText(folder, "sum.txt")).toBe("7\n");
    expect(left).toEqual(["pmcoder.txt", "run", "state", "task.md", "trajectory.json"]);
    expect(readText(at.folder, "logs-full", "task.md")).toBe(task);
    expect(context).toMatchObject({ n_input_tokens: 0, n_output_tokens: 0, cost_usd: 0 });
    expect(context.metadata.pmcoder.exit_status).toBe("submitted");
    const { steps } = JSON.parse(readText(at.folder, "logs-full", "trajectory.json"));
    const deterministic = steps.filter((step: object) => Reflect.get(step, "llm_call_count") === 0);
    expect(deterministic).toHaveLength(commands.length);
    expect(deterministic[0].extra.advice).toMatchObject({ phase: "explore", total: 4 });
  });
});
