import { describe, expect, it } from "vitest";
import { episodeTable } from "../../src/cli/replay-text.ts";
import { coloured, plain } from "../../src/cli/terminal-text.ts";
import { replayOf, submit } from "../eval/episodes.ts";

describe("the table of an episode", () => {
  it("has a line a step, and below it what the plan said", () => {
    const episode = replayOf([
      "cat src/a.py",
      { commands: [], rejected: true },
      ...Array.from({ length: 9 }, () => ({ commands: ["pytest"], exitCode: 2 })),
      "sed -i 's/a/b/' src/a.py",
      submit,
    ]);
    expect(episodeTable(episode, { columns: 76, paint: plain }).join("\n")).toMatchInlineSnapshot(`
      "shapes__area-7: 13 steps, 6 blocks (+), 1 backtrack
      step  phase        kind     recalled  action
         1  explore      inspect         +  cat src/a.py
         2  explore      none               (rejected by its harness)
         3  hypothesize  test            +  pytest
         4  hypothesize  test               pytest
         5  hypothesize  test           2   pytest
         6  hypothesize  test           2+  pytest
            loop: This command has given the same output 4 times, and nothing has…
         7  hypothesize  test           2   pytest
            stuck, held back by the floor: 5 commands in a row failed
         8  hypothesize  test           2   pytest
            stuck, held back by the floor: 6 commands in a row failed
         9  hypothesize  test           2   pytest
            stuck, held back by the floor: 7 commands in a row failed
        10  backtrack    test           2+  pytest
            backtrack (RT-DIAG): 8 commands in a row failed
            loop: This command has given the same output 4 times, and nothing has…
        11  hypothesize  test           2+  pytest
        12  implement    edit           2+  sed -i s/a/b/ src/a.py
        13  implement    submit         2   echo COMPLETE_TASK_AND_SUBMIT_FINAL_O…"
    `);
  });

  it("marks a new phase and a backtrack in colour", () => {
    const failing = Array.from({ length: 10 }, () => ({ commands: ["pytest"], exitCode: 2 }));
    const lines = episodeTable(replayOf(failing), { columns: 60, paint: coloured });
    expect(lines[2]).toContain(coloured("cyan", "hypothesize"));
    expect(lines[3]).not.toContain("\u001b[36m");
    expect(lines.join("\n")).toContain(
      coloured("red", "backtrack (RT-DIAG): 10 commands in a row failed"),
    );
  });

  it("shows no control character of a command", () => {
    const [, , line] = episodeTable(replayOf(["cat 'a\u001b[2Jb.py'"]), {
      columns: 60,
      paint: plain,
    });
    expect(line).toContain("␛[2J");
    expect(line).not.toContain("\u001b");
  });
});
