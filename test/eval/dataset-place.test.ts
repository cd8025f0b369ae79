import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { datasetsFolder, locateDataset } from "../../src/eval/dataset-place.ts";
import { folderWith } from "./dataset-folder.ts";

describe("the folder of fetched datasets", () => {
  it.each([
    [{ XDG_DATA_HOME: "/data", HOME: "/home/a" }, "/data/pmcoder/datasets"],
    [{ HOME: "/home/a" }, "/home/a/.local/share/pmcoder/datasets"],
    [{ XDG_DATA_HOME: "relative", HOME: "/home/a" }, "/home/a/.local/share/pmcoder/datasets"],
    [{ XDG_DATA_HOME: "", HOME: "/home/a" }, "/home/a/.local/share/pmcoder/datasets"],
  ])("with %j is %s", (env, folder) => {
    expect(datasetsFolder(env)).toBe(folder);
  });
});

describe("a dataset by its name", () => {
  const places = (files: Record<string, string> = {}) => {
    const base = folderWith(files);
    return { base, datasets: join(base, "kept") };
  };

  it.each([
    ["rows.jsonl", "rows.jsonl"],
    ["../rows", "../rows"],
    ["sub/verified", "sub/verified"],
    ["/abs/verified", "/abs/verified"],
    ["unknown", "unknown"],
  ])("%s is a path", (name, path) => {
    const given = places();
    expect(locateDataset(name, given)).toBe(path.startsWith("/") ? path : join(given.base, path));
  });

  it.each([
    [["verified.parquet", "verified.jsonl"], "verified.parquet"],
    [["verified.jsonl"], "verified.jsonl"],
    [["verified.json"], "verified.json"],
    [["verified/sweb.yaml"], "verified"],
  ])("fetched as %j is found", (names, found) => {
    const given = places(Object.fromEntries(names.map((name) => [`kept/${name}`, ""])));
    expect(locateDataset("verified", given)).toBe(join(given.datasets, found));
  });

  it("is the file beside the experiment before the fetched one", () => {
    const given = places({ verified: "", "kept/verified.parquet": "" });
    expect(locateDataset("verified", given)).toBe(join(given.base, "verified"));
  });

  it("that is not there says how to get it", () => {
    const given = places();
    expect(() => locateDataset("verified", given)).toThrow(
      `The dataset verified is not on this machine. Get it with \`pmcoder eval fetch verified\`, or copy a file with its rows to ${given.datasets}/verified.parquet (or .jsonl, .json).`,
    );
  });
});
