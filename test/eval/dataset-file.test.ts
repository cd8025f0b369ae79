import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDataset, readRow } from "../../src/eval/dataset-file.ts";
import { folderWith } from "./dataset-folder.ts";

const row = {
  instance_id: "acme__widget-12",
  repo: "acme/widget",
  base_commit: "d16bfe05",
  problem_statement: "The widget does not turn.",
};
const line = `${JSON.stringify(row)}\n`;
const task = {
  "tasks/acme__widget-12/task.yaml":
    "instance_id: acme__widget-12\nrepo: acme/widget\nbase_commit: d16bfe05\ndatasets: [acme/One]\n",
  "tasks/acme__widget-12/problem_statement.md": "The widget does not turn.",
  "sweb.yaml": "datasets: [acme/One]\n",
};
const parquet = readFileSync(new URL("../fixtures/datasets/v4-snappy.parquet", import.meta.url));

describe("a dataset", () => {
  it("is the same in every form, and so is its checksum", async () => {
    const folder = folderWith({
      "rows.jsonl": line,
      "rows.json": JSON.stringify([{ other: 1, ...row }], null, 2),
      ...task,
    });
    const all = await Promise.all(
      ["rows.jsonl", "rows.json", "", "#acme/One"].map((name) =>
        readDataset(name.startsWith("#") ? `${folder}${name}` : join(folder, name), name),
      ),
    );
    for (const { rows, faults } of all) {
      expect(rows).toMatchObject([row]);
      expect(faults).toEqual([]);
    }
    expect(new Set(all.map(({ sha256 }) => sha256))).toHaveLength(1);
    expect(all.map(({ folder: its }) => its)).toEqual(all.map(() => folder));
  });

  it("changes its checksum with any field", async () => {
    const folder = folderWith({ "a.jsonl": line, "b.jsonl": line.replace("turn", "move") });
    const [a, b] = await Promise.all(
      ["a", "b"].map((name) => readDataset(join(folder, `${name}.jsonl`), name)),
    );
    expect(a?.sha256).not.toBe(b?.sha256);
  });

  it("is told as Parquet by its bytes, whatever its name", async () => {
    const path = join(folderWith({ rows: parquet }), "rows");
    const { rows, faults } = await readDataset(path, "rows");
    expect(rows).toHaveLength(2);
    expect(faults).toEqual(["rows, row 3 (acme__gadget-1): repo is empty"]);
    expect(await readRow(path, "rows", "acme__widget-7")).toMatchObject({ hints_text: "oil" });
  });

  it("has a name with # in it, if there is such a file", async () => {
    const path = join(folderWith({ "a#b.jsonl": line }), "a#b.jsonl");
    expect((await readDataset(path, "a#b.jsonl")).rows).toHaveLength(1);
  });
});

describe("what cannot be read", () => {
  it.each([
    ["none.jsonl", "The dataset none.jsonl: there is no such file or folder."],
    ["none#part", "The dataset none#part: there is no such file or folder."],
    ["empty", "empty is a folder without tasks/<instance>/task.yaml."],
    ["zero", "The dataset zero is neither text nor Parquet; give a .jsonl"],
    ["page.parquet", "page.parquet is not a Parquet file: it does not begin with PAR1."],
    ["broken.json", "broken.json is not JSON: "],
  ])("%s: is refused with what to do", async (name, message) => {
    const folder = folderWith({
      "empty/.keep": "",
      zero: "a\0b",
      "page.parquet": "<p>",
      "broken.json": "[",
    });
    await expect(readDataset(join(folder, name), name)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(message),
    });
  });
});
