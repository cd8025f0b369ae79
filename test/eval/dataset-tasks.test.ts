import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkRows, findRow } from "../../src/eval/dataset.ts";
import { rowsOfTasks } from "../../src/eval/dataset-tasks.ts";
import { folderWith } from "./dataset-folder.ts";

const settings = "datasets: [acme/Full, acme/Small]\nsplits: [test]\n";

function task(id: string, more = "split: test\ndatasets: [acme/Full]\n") {
  const at = `tasks/${id}`;
  return {
    [`${at}/task.yaml`]: `instance_id: ${id}\nrepo: acme/widget\nbase_commit: "0123"\nversion: 1.10\ncreated_at: 2022-03-03T15:14:54Z\nimage: acme/widget:12\nlog_parser: parse_log_pytest\neval_type: pass_and_fail\n${more}`,
    [`${at}/tests.json`]: '{"FAIL_TO_PASS": ["t[no]"], "PASS_TO_PASS": []}',
    [`${at}/problem_statement.md`]: "The widget does not turn.\n",
    [`${at}/gold.patch`]: "--- a/w.py\r\n+++ b/w.py\r\n",
    [`${at}/test.patch`]: "t",
    [`${at}/eval.sh`]: "#!/bin/bash\ntrue\n",
    [`${at}/Dockerfile`]: "FROM scratch\n",
  };
}

const read = (files: Record<string, string>, dataset: string | null = null) =>
  rowsOfTasks(folderWith(files), "repo", dataset);

describe("a task repository of SWE-bench 5", () => {
  it("gives rows of version 5, byte for byte what its files hold", () => {
    const { rows, faults } = checkRows(read({ "sweb.yaml": settings, ...task("acme__widget-12") }));
    expect(faults).toEqual([]);
    expect(rows).toMatchObject([
      {
        instance_id: "acme__widget-12",
        base_commit: "0123",
        created_at: "2022-03-03T15:14:54Z",
        problem_statement: "The widget does not turn.\n",
        patch: "--- a/w.py\r\n+++ b/w.py\r\n",
        FAIL_TO_PASS: ["t[no]"],
        PASS_TO_PASS: [],
        image: "acme/widget:12",
        eval_script: "#!/bin/bash\ntrue\n",
        log_parser: "parse_log_pytest",
        hints_text: null,
      },
    ]);
  });

  const many = {
    "sweb.yaml": settings,
    ...task("b__b-1"),
    ...task("a__a-1", "split: test\ndatasets: [acme/Full, acme/Small]\n"),
    ...task("c__c-1", "split: deprecated\ndatasets: [acme/Full]\n"),
    ...task("d__d-1", ""),
    "tasks/notes.md": "no task",
  };

  it.each([
    [null, ["a__a-1", "b__b-1", "d__d-1"]],
    ["acme/Full", ["a__a-1", "b__b-1"]],
    ["acme/Small", ["a__a-1"]],
  ])("of the dataset %s has what is published, by name", (dataset, ids) => {
    const { rows } = checkRows(read(many, dataset));
    expect(rows.map(({ instance_id }) => instance_id)).toEqual(ids);
  });

  it("without sweb.yaml is all its tasks of the split test", () => {
    const { "sweb.yaml": _, ...files } = many;
    expect(checkRows(read(files)).rows).toHaveLength(3);
  });

  it("finds one instance, and names the nearest of an unknown one", () => {
    const raw = read(many);
    expect(findRow(raw, "repo", "b__b-1").repo).toBe("acme/widget");
    expect(() => findRow(raw, "repo", "b__b-2")).toThrow("the nearest of its 3 are b__b-1, ");
  });

  it("names each task with a fault; the others are usable", () => {
    const { rows, faults } = checkRows(
      read({
        ...task("a__a-1"),
        ...task("b__b-1"),
        ...task("c__c-1"),
        ...task("d__d-1"),
        "tasks/b__b-1/task.yaml": "instance_id: [b\n",
        "tasks/c__c-1/tests.json": "{",
        "tasks/d__d-1/problem_statement.md": " \n",
      }),
    );
    expect(rows.map(({ instance_id }) => instance_id)).toEqual(["a__a-1"]);
    expect(faults).toEqual([
      expect.stringMatching(/^repo\/tasks\/b__b-1\/task\.yaml is not YAML: /),
      expect.stringMatching(/^repo\/tasks\/c__c-1\/tests\.json is not JSON: /),
      "repo/tasks/d__d-1 (d__d-1): problem_statement is empty",
    ]);
  });
});

describe("a link in a task", () => {
  /** The rows and faults of one task, with one of its files a link to `target`. */
  function checked(name: string, target: string) {
    const folder = folderWith({ ...task("a__a-1"), secret: "secret", hints: "Look at w.py." });
    const dataset = join(folder, "dataset");
    mkdirSync(dataset);
    for (const inside of ["tasks", "hints"])
      renameSync(join(folder, inside), join(dataset, inside));
    const link = join(dataset, "tasks", "a__a-1", name);
    rmSync(link, { force: true });
    symlinkSync(target, link);
    return checkRows(rowsOfTasks(dataset, "repo", null));
  }

  it("may lead to another file of the repository", () => {
    expect(checked("hints.md", "../../hints").rows).toMatchObject([
      { hints_text: "Look at w.py." },
    ]);
  });

  it.each(["problem_statement.md", "tests.json", "task.yaml"])(
    "makes no issue of a file outside: %s",
    (name) => {
      const { rows, faults } = checked(name, "../../../secret");
      expect(rows).toEqual([]);
      expect(faults).toEqual([
        expect.stringMatching(
          new RegExp(`a__a-1/${name} is a link out of the dataset's folder\\.$`),
        ),
      ]);
    },
  );
});

describe("what is no task repository", () => {
  it.each<[Record<string, string>, string | null, string]>([
    [{ "a.txt": "" }, null, "repo is a folder without tasks/<instance>/task.yaml. Give a .jsonl"],
    [
      { "sweb.yaml": settings, ...task("a__a-1") },
      "acme/Smal",
      'repo does not publish "acme/Smal"; it has acme/Full, acme/Small.',
    ],
    [task("a__a-1"), "x", 'repo does not publish "x"; it has none by name.'],
    [{ "sweb.yaml": "datasets: 4", ...task("a__a-1") }, null, "repo/sweb.yaml must hold lists"],
    [{ "sweb.yaml": "a: [", ...task("a__a-1") }, null, "repo/sweb.yaml is not YAML: "],
  ])("is refused: %j", (files, dataset, message) => {
    expect(() => read(files, dataset)).toThrow(message);
  });
});
