import { describe, expect, it } from "vitest";
import { noMemory } from "../../../src/substrate/shell/memory.ts";
import { understand } from "../../../src/substrate/shell/understand.ts";
import { actionOf, classesOf, heredoc } from "./repository.ts";

describe("what a command line is", () => {
  it("takes a here-document for data, in the folder that cd went to", () => {
    const command = heredoc("cd /w && python -", "import os", "open('gen one.py','w').write('x')");
    const { action } = understand(command, noMemory, { root: "/w", listing: null });
    expect(classesOf(action)).toEqual(["neutral cd", "edit python"]);
    expect(action.changed).toEqual(["gen one.py"]);
  });

  it("sees in-place edits and their backups after cd, and starts the next command at the root", () => {
    const command =
      "cd src && sed -i.bak -e 's/foo/bar/' a.py \"b c.py\" && git -C .. diff --stat | tee ../stat.txt";
    const context = { root: "/w", listing: null };
    const { action, memory } = understand(command, noMemory, context);
    expect(action.edited).toEqual(["src/a.py", "src/b c.py"]);
    expect([...action.created, ...action.captured]).toEqual([
      "src/a.py.bak",
      "src/b c.py.bak",
      "stat.txt",
    ]);
    expect(classesOf(action)).toEqual(["neutral cd", "edit sed", "review git", "neutral tee"]);
    expect(understand("cat x.py", memory, context).action.reads).toEqual([
      { path: "x.py", lines: [] },
    ]);
  });

  it("finds the test run behind assignments, wrappers and a pipe that hides its status", () => {
    const action = actionOf(
      'PYTHONPATH=src DJ_SETTINGS="t s" timeout 60 nice -n 5 python -m pytest "tests/test_a.py::T::test_x[a b]" -q 2>&1 | tail -20',
    );
    expect(classesOf(action)).toEqual(["test pytest", "neutral tail"]);
    expect(action.segments[0]).toMatchObject({
      targets: ["tests/test_a.py::T::test_x[a b]"],
      decisive: false,
    });
    expect(action.lastHead).toBe("tail");
  });

  it("unites its segments, each path once", () => {
    const action = actionOf(
      "cat src/a.py; cat src/a.py; sed -i s/a/b/ src/a.py; echo x > new.py; rm src/b.py; git checkout -- setup.py",
    );
    expect(action).toMatchObject({
      mutating: true,
      reads: [{ path: "src/a.py", lines: [] }],
      writes: ["src/a.py", "new.py"],
      deleted: ["src/b.py"],
      reverted: ["setup.py"],
      changed: ["src/a.py", "new.py", "src/b.py", "setup.py"],
    });
  });

  it("leaves out what it makes and takes away again", () => {
    const action = actionOf("sed s/a/b/ src/a.py > src/a.py.tmp && mv src/a.py.tmp src/a.py");
    expect(action).toMatchObject({ created: [], deleted: [], changed: ["src/a.py"] });
    expect(action.segments.map(({ created, deleted }) => [created, deleted])).toEqual([
      [["src/a.py.tmp"], []],
      [[], ["src/a.py.tmp"]],
    ]);
  });

  it("means nothing when it is empty", () => {
    for (const command of ["", "  \n", "# only a comment", ";;"]) {
      expect(actionOf(command)).toMatchObject({
        normalized: null,
        segments: [],
        mutating: false,
        lastHead: null,
      });
    }
  });

  it("stands at the root even when the root is that of the file system", () => {
    const { action } = understand("cat etc/x.py", noMemory, { root: "/", listing: null });
    expect(action.reads).toEqual([{ path: "etc/x.py", lines: [] }]);
  });
});
