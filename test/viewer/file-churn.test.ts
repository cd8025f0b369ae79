import { describe, expect, it } from "vitest";
import { fileChurn } from "../../src/viewer/file-churn.ts";
import { insightsOf, toldRecording } from "./recordings.ts";

describe("file churn", () => {
  it("says at which step a file was read, edited and put back, the most edited first", () => {
    const { insights, end } = insightsOf(
      toldRecording([
        "cat src/a.py src/b.py",
        "sed -i s/1/2/ src/b.py",
        "cat src/b.py",
        "git checkout -- src/b.py",
      ]),
    );
    const { rows, arcs, more } = fileChurn(insights, end.state.memory);
    expect(rows).toEqual([
      {
        path: "src/b.py",
        reads: 2,
        edits: 2,
        cells: [
          { step: 1, did: "read" },
          { step: 2, did: "edit" },
          { step: 3, did: "read" },
          { step: 4, did: "revert" },
        ],
      },
      { path: "src/a.py", reads: 1, edits: 0, cells: [{ step: 1, did: "read" }] },
    ]);
    expect(arcs).toEqual([{ from: 0, to: 1, cost: 1 }]);
    expect(more).toBe(0);
  });

  it("counts an edit as one although the command also reads the file", () => {
    const { insights } = insightsOf(toldRecording(["sed -i s/1/2/ a.py && cat a.py"]));
    expect(fileChurn(insights, null).rows).toMatchObject([{ edits: 1, reads: 0 }]);
  });

  it("keeps to so many rows", () => {
    const { insights } = insightsOf(
      toldRecording(Array.from({ length: 20 }, (_, n) => `cat f${n}.py`)),
    );
    const { rows, more } = fileChurn(insights, null);
    expect([rows.length, more]).toEqual([16, 4]);
  });
});
