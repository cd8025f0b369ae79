import { describe, expect, it } from "vitest";
import { chooseChanges, type Survey } from "../../../src/agent/patch/changes.ts";
import { isScratch } from "../../../src/domain/scratch.ts";

const nothing: Survey = {
  changed: [],
  untracked: [],
  large: new Set(),
  unbased: [],
  ignoredBefore: new Set(),
  ignoredNow: [],
};

describe("chooseChanges", () => {
  it("gives each path one reason and lists equal reasons together", () => {
    const { include, leftOut } = chooseChanges(
      {
        changed: ["a.py", "big.csv"],
        untracked: [
          "n.py",
          "repro.py",
          "huge.bin",
          "sub/",
          "vend/",
          "vend2/x.py",
          "locked",
          "dist/a.js",
        ],
        large: new Set(["big.csv", "huge.bin", "repro.py"]),
        unbased: ["sub/", "vend2/", "locked"],
        ignoredBefore: new Set(["dist/a.js"]),
        ignoredNow: ["run.log"],
      },
      isScratch,
    );
    expect(include).toEqual(["a.py", "n.py"]);
    expect(leftOut).toEqual([
      { path: "big.csv", reason: "too large" },
      { path: "huge.bin", reason: "too large" },
      { path: "repro.py", reason: "scratch" },
      { path: "vend/", reason: "nested repository" },
      { path: "vend2/x.py", reason: "nested repository" },
      { path: "locked", reason: "unreadable" },
      { path: "dist/a.js", reason: "ignored" },
      { path: "run.log", reason: "ignored" },
    ]);
  });

  it("cuts a long list and says how much is not listed", () => {
    const untracked = Array.from({ length: 130 }, (_, i) => `d${i}/x.log`);
    const { leftOut } = chooseChanges({ ...nothing, untracked }, isScratch);
    expect(leftOut).toHaveLength(101);
    expect(leftOut[100]).toEqual({ path: "(30 more)", reason: "not listed" });
  });
});
