import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readTask, type TaskFlags } from "../../src/cli/task-source.ts";
import { loopbackServer } from "./loopback-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const row = {
  instance_id: "acme__widget-12",
  repo: "acme/widget",
  base_commit: "d16bfe0",
  problem_statement: "The widget does not turn.",
};

/** A folder with a file for each case, and a terminal's surroundings. */
function surroundings({ input = "", isTTY = false } = {}) {
  const cwd = temporaryFolder();
  const files: Record<string, string | Uint8Array> = {
    "issue.md": "It breaks.\n",
    "empty.md": " \n\t\n",
    "binary.md": Buffer.from("PK\0\0"),
    "latin.md": Buffer.from([0x63, 0x61, 0x66, 0xe9]),
    "wide.md": Buffer.from("\ufeffIt breaks.", "utf16le"),
    "large.md": "a".repeat(1024 * 1024 + 1),
    "largest.md": "a".repeat(1024 * 1024),
    "rows.jsonl": `${JSON.stringify(row)}\n`,
    "rows.parquet": Buffer.from("PAR1\0"),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  mkdirSync(join(cwd, "folder"));
  const said: string[] = [];
  const stdin = Object.assign(Readable.from(input === "" ? [] : [Buffer.from(input)]), { isTTY });
  return { cwd, said, stdin, env: {}, stderr: { write: (text: string) => said.push(text) } };
}

const read = (flags: TaskFlags) => readTask(flags, surroundings());

describe("a task", () => {
  it.each([
    [{ text: "It breaks." }, { kind: "issue", text: "It breaks." }],
    [{ issue: "issue.md" }, { kind: "issue", text: "It breaks.\n" }],
    [{ issue: "wide.md" }, { kind: "issue", text: "It breaks." }],
    [{ issue: "largest.md" }, { kind: "issue", text: "a".repeat(1024 * 1024) }],
    [{ task: "issue.md" }, { kind: "task", text: "It breaks.\n" }],
    [
      { instance: "acme__widget-12", dataset: "rows.jsonl" },
      { kind: "instance", text: row.problem_statement, row },
    ],
  ])("from %j", async (flags, task) => {
    expect(await read(flags)).toMatchObject(task);
  });

  it("comes from a pipe in silence, and from a terminal with a word", async () => {
    const pipe = surroundings({ input: "It breaks.\n" });
    expect(await readTask({ issue: "-" }, pipe)).toEqual({ kind: "issue", text: "It breaks.\n" });
    expect(pipe.said).toEqual([]);
    const terminal = surroundings({ input: "It breaks.\n", isTTY: true });
    await readTask({ issue: "-" }, terminal);
    expect(terminal.said.join("")).toContain("Ctrl-D");
  });

  it.each(["text", "issue"])("comes from an issue's address given as %s", async (flag) => {
    const base = await loopbackServer((_, response) => {
      response.end(JSON.stringify({ title: "It breaks", body: "Often." }));
    });
    const around = { ...surroundings(), env: { PMCODER_GITHUB_API: base } };
    const task = await readTask({ [flag]: "https://github.com/acme/widget/issues/7" }, around);
    expect(task).toEqual({ kind: "issue", text: "It breaks\n\nOften." });
  });
});

describe("a usage error", () => {
  it.each([
    [{}, "No issue is given. Give a text argument, --issue FILE|-|GITHUB-URL, --instance ID"],
    [{ text: "a", issue: "b" }, "Give one issue, not a text argument and --issue: "],
    [{ task: "a", dataset: "b" }, "not --instance with --dataset and --task"],
    [{ instance: "a" }, "--instance wants --dataset FILE beside it."],
    [{ dataset: "a" }, "--dataset wants --instance ID beside it."],
    [{ text: "" }, "The issue is empty."],
    [{ text: " \n" }, "The issue is empty."],
    [{ text: "issue.md" }, '"issue.md" is a file. Give --issue issue.md'],
    [{ issue: "none.md" }, "--issue none.md: there is no such file."],
    [{ issue: "folder" }, "--issue folder cannot be read: EISDIR"],
    [{ issue: "empty.md" }, "--issue empty.md is empty."],
    [{ issue: "-" }, "--issue - is empty."],
    [{ issue: "binary.md" }, "--issue binary.md is not text in UTF-8."],
    [{ issue: "latin.md" }, "--issue latin.md is not text in UTF-8."],
    [{ issue: "large.md" }, "--issue large.md is larger than 1 MiB"],
    [{ issue: "/dev/zero" }, "--issue /dev/zero is larger than 1 MiB"],
    [{ task: "none.md" }, "--task none.md: there is no such file."],
    [{ issue: "https://example.org/1" }, "Save the text to a file and give --issue FILE."],
    [{ instance: "a", dataset: "none" }, "The dataset none: there is no such file or folder."],
    [
      { instance: "a", dataset: "folder" },
      "folder is a folder without tasks/<instance>/task.yaml.",
    ],
    [{ instance: "a", dataset: "rows.parquet" }, "rows.parquet is damaged or cut short"],
    [
      { instance: "acme__widget-13", dataset: "rows.jsonl" },
      'rows.jsonl has no instance "acme__widget-13"; the nearest of its 1 are acme__widget-12.',
    ],
  ])("answers %j", async (flags, message) => {
    await expect(read(flags)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(message),
    });
  });
});
