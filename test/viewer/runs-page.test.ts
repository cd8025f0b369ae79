import { describe, expect, it } from "vitest";
import { filterFrom, matching, noFilter, valuesOf } from "../../src/viewer/filter.ts";
import type { Entry } from "../../src/viewer/library.ts";
import { runsMain } from "../../src/viewer/runs-page.ts";

const entry = (key: string, rest: Partial<Entry>): Entry => ({
  key,
  instanceId: "shapes__area-7",
  title: "shapes__area-7",
  file: null,
  status: "submitted",
  arm: "full",
  model: "scripted:test",
  startedAt: null,
  steps: null,
  ...rest,
});

const entries = [
  entry("r1", {}),
  entry("r2", { arm: "baseline", status: "no_patch" }),
  entry("r3", { instanceId: null, title: "r3", status: "running", model: "other:one" }),
];
const keysOf = (some: readonly Entry[]) => some.map(({ key }) => key);

describe("a filter", () => {
  it.each([
    ["", ["r1", "r2", "r3"]],
    ["status=no_patch", ["r2"]],
    ["arm=full&model=scripted%3Atest", ["r1"]],
    ["instance=shapes__area-7", ["r1", "r2"]],
    ["text=AREA+base", ["r2"]],
    ["text=nothing", []],
    ["unknown=1", ["r1", "r2", "r3"]],
  ])("%s finds %j", (query, keys) => {
    expect(keysOf(matching(entries, filterFrom(new URLSearchParams(query))))).toEqual(keys);
  });

  it("offers each value once", () => {
    expect(valuesOf(entries, "arm")).toEqual(["baseline", "full"]);
    expect(valuesOf(entries, "instanceId")).toEqual(["shapes__area-7"]);
  });
});

describe("the list of episodes", () => {
  it("sets an experiment out by instance and arm, with a way to compare", () => {
    const { text } = runsMain(entries, noFilter);
    expect(text).toContain("By instance and arm");
    expect(text).toContain('href="/compare?with=r2&amp;with=r1">baseline and full</a>');
  });

  it("does not where no instance has two arms", () => {
    expect(runsMain(entries.slice(1), noFilter).text).not.toContain("By instance and arm");
  });

  it.each([
    [[], "Nothing is recorded here yet."],
    [entries, "No episode is like this."],
  ])("says why it is empty", (some, why) => {
    expect(runsMain(some, { ...noFilter, text: "nothing" }).text).toContain(why);
  });
});
