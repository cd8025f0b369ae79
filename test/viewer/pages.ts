import type { ForeignEpisode } from "../../src/trajectories/foreign.ts";
import { episodeOf, submit, type Told } from "../eval/episodes.ts";

const source = "def area(side):\n    return side + side\n";

/** An episode in which everything happens that a page shows: a fix, a failed check, a recovery. */
export const squareEpisode: ForeignEpisode = episodeOf(
  [
    {
      commands: ["ls -R"],
      thought: "I look around first.",
      output: "shapes/area.py\ntests/test_area.py\n",
    },
    {
      commands: ["cat shapes/area.py"],
      thought: "The issue names area.",
      output: source.repeat(12),
    },
    {
      commands: ["python -m pytest tests"],
      thought: "Does it fail?",
      output: "1 failed\n",
      exitCode: 1,
    },
    {
      commands: ["sed -i 's/side + side/side * 2/' shapes/area.py", "git diff"],
      thought: "I multiply.",
      output: "-    return side + side\n+    return side * 2\n",
    },
    { commands: ["python -m pytest tests"], thought: "Again.", output: "1 failed\n", exitCode: 1 },
    ...Array.from(
      { length: 15 },
      (_, n): Told => ({
        commands: [`sed -n ${n * 10 + 1},${n * 10 + 10}p shapes/area.py tests/test_area.py`],
        thought: `Where does the square go wrong? Part ${n + 1}.`,
        output: source,
      }),
    ),
    {
      commands: ["sed -i 's/side * 2/side * side/' shapes/area.py"],
      thought: "The square of a side is the side times itself.",
    },
    { commands: ["python -m pytest tests"], thought: "And now?", output: "3 passed\n" },
    { commands: [submit], thought: "Done.", output: "" },
  ],
  {
    instanceId: "shapes__area-7",
    model: "scripted",
    exitStatus: "Submitted",
    submission: "diff --git a/shapes/area.py b/shapes/area.py\n",
  },
);

/** The same issue by another way: the first two steps are the same. */
export const shortEpisode: ForeignEpisode = {
  ...episodeOf(
    [
      { commands: ["ls -R"], output: "shapes/area.py\n" },
      { commands: ["cat shapes/area.py"], output: source },
      { commands: ["sed -i 's/side + side/side * side/' shapes/area.py"] },
      { commands: [submit] },
    ],
    { instanceId: "shapes__area-7", model: "scripted", exitStatus: "Submitted" },
  ),
  format: "openhands",
};

export const otherEpisode: ForeignEpisode = episodeOf(["cat b.py"], {
  instanceId: "shapes__circle-3",
  exitStatus: "LimitsExceeded",
});
