import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layOutRepository, repositoryOf } from "../../src/eval/dataset-repository.ts";
import { folderWith } from "./dataset-folder.ts";

const path = process.env["PATH"];

describe("the repository that a row names", () => {
  const bundle = () => {
    const top = folderWith({
      "data/repos/clamp/index.js": "",
      "data/file": "",
      "outside/index.js": "",
      "data-too/index.js": "",
    });
    symlinkSync("../../outside", join(top, "data/repos/away"));
    symlinkSync("clamp", join(top, "data/repos/alias"));
    return join(top, "data");
  };
  const find = (repository: string | null, folder = bundle()) =>
    repositoryOf({ instance_id: "a__a-1", repository }, folder);

  it.each([
    ["repos/clamp", "repos/clamp"],
    ["./repos/../repos/clamp/", "repos/clamp"],
    ["repos/alias", "repos/clamp"],
  ])("%s is a folder below the dataset's", async (repository, found) => {
    const folder = bundle();
    expect(await find(repository, folder)).toBe(join(folder, found));
  });

  it("is none where the row names none", async () => {
    expect(await find(null)).toBeNull();
  });

  it.each([
    ["../outside", "leads out of the dataset's folder"],
    ["../data-too", "leads out of the dataset's folder"],
    ["repos/../../outside", "leads out of the dataset's folder"],
    ["..", "leads out of the dataset's folder"],
    [".", "leads out of the dataset's folder"],
    ["/etc", "leads out of the dataset's folder"],
    ["repos/away", "is a link out of the dataset's folder"],
    ["repos/none", "is not there"],
    ["file", "is no folder"],
  ])("%s is refused", async (repository, found) => {
    await expect(find(repository)).rejects.toMatchObject({
      code: "usage",
      message: `The repository "${repository}" of a__a-1 ${found}: name a folder below that of the dataset.`,
    });
  });
});

describe("a bundled folder as a git repository", () => {
  const files = {
    "clamp/index.js": "export {};\n",
    "clamp/.gitignore": "made\n",
    "clamp/made": "x",
  };

  it("has one commit with all its files, the same wherever and whenever it is made", async () => {
    const folder = join(folderWith(files), "clamp");
    const [a, b] = [folderWith({}), folderWith({})];
    const first = await layOutRepository(folder, a, path);
    expect(first).toEqual({
      path: join(a, "clamp"),
      commit: "75bcef6678b948b3a3c54a1c462bcd6cd60dc464",
    });
    expect(await layOutRepository(folder, b, path)).toMatchObject({ commit: first.commit });
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: first.path, encoding: "utf8" });
    expect(git("ls-files").split("\n")).toEqual([".gitignore", "index.js", "made", ""]);
    expect(git("status", "--porcelain")).toBe("");
    expect(readFileSync(join(first.path, "made"), "utf8")).toBe("x");
  });

  it("is refused where it is one already, and where git is missing", async () => {
    const own = join(folderWith(files), "clamp");
    await expect(layOutRepository(own, folderWith({}), "/nowhere")).rejects.toThrow(
      /^git cannot make a repository of .*Is git installed\?$/s,
    );
    mkdirSync(join(own, ".git"));
    await expect(layOutRepository(own, folderWith({}), path)).rejects.toThrow(
      "is a git repository; bundle its files alone.",
    );
  });
});
