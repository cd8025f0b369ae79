import { describe, expect, it } from "vitest";
import { classesOf, episode } from "./repository.ts";

describe("an editor that keeps a file open", () => {
  it("edits the file opened or created last, whatever the new lines look like", () => {
    const { actions, memory } = episode(
      'open "src/a.py" 14',
      "edit 1:2\nimport os; rm -rf x > y\nend_of_edit",
      "create repro.py\n",
      "insert 1\nopen('src/b.py', 'w')\nend_of_insert",
      "edit 'old text' 'new text'",
    );
    expect(actions.map(({ changed }) => changed)).toEqual([
      [],
      ["src/a.py"],
      ["repro.py"],
      ["repro.py"],
      ["repro.py"],
    ]);
    expect(actions.map(classesOf)).toEqual([
      ["inspect open"],
      ["edit edit"],
      ["edit create"],
      ["edit insert"],
      ["edit edit"],
    ]);
    expect(actions[1]?.normalized).toMatch(/^edit 1:2 <<[\da-f]{8}>>$/);
    expect(memory.opened).toBe("repro.py");
  });

  it("edits something unknown when none was opened", () => {
    const [action] = episode("edit 3:3\nend_of_edit").actions;
    expect(action?.segments).toMatchObject([{ class: "edit", unresolved: true }]);
  });
});
