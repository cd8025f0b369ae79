import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { findRepository } from "../../src/environments/workspace.ts";
import { bound, repository, sh, temporaryFolder } from "./repositories.ts";

describe("findRepository", () => {
  it("gives the top and the folder in it, links resolved", async () => {
    const top = repository({ "lib/deep/a.py": "1\n" });
    const link = join(temporaryFolder(), "link");
    symlinkSync(join(top, "lib/deep"), link);
    expect(await findRepository(top)).toEqual({ top, sub: "" });
    expect(await findRepository(join(top, "lib"))).toEqual({ top, sub: "lib" });
    expect(await findRepository(link)).toEqual({ top, sub: "lib/deep" });
  });

  it("is not led elsewhere by git's own variables", async () => {
    const top = repository({ "a.py": "1\n" });
    vi.stubEnv("GIT_DIR", join(repository({}), ".git"));
    vi.stubEnv("GIT_WORK_TREE", "/tmp");
    expect(await findRepository(top)).toEqual({ top, sub: "" });
    vi.unstubAllEnvs();
  });

  it.each([
    [
      "nothing",
      ":",
      "none",
      "does not exist or cannot be reached: name the folder of a git repository.",
    ],
    ["a file", "touch f", "f", "is not a folder: name the folder of a git repository."],
    [
      "a folder without a repository",
      ":",
      "",
      "is not in a git repository. Name another folder with --repo, or make this one a repository: git init",
    ],
    [
      "a bare repository",
      "git init -q --bare",
      "",
      "is in a git repository without a work tree there (a bare one, or its .git folder): name a folder with checked-out files, or clone the repository first.",
    ],
    ["a .git folder", "git init -q", ".git", "is in a git repository without a work tree there"],
    ["a broken repository", "git init -q; echo '[[' > .git/config", "", "git cannot use"],
  ])("refuses %s", async (_, script, name, message) => {
    const folder = temporaryFolder();
    sh(folder, script);
    const refusal = findRepository(join(folder, name));
    await expect(refusal).rejects.toMatchObject({ code: "usage" });
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.toThrow(join(folder, name));
  });

  it("refuses a folder that it may not read", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "shut"));
    chmodSync(join(folder, "shut"), 0);
    const refusal = bound(folder, () => findRepository(join(folder, "shut")));
    await expect(refusal).rejects.toThrow(`${folder}/shut cannot be read: name the folder`);
  });

  it("says how to trust a repository of another user", async (context) => {
    if (process.geteuid?.() !== 0) context.skip("only root can give a folder away");
    const top = repository({ "a.py": "1\n" });
    sh(top, "chown -R 65534 .");
    await expect(findRepository(top)).rejects.toMatchObject({
      code: "usage",
      message: `${top} belongs to another user, so git does not trust it. If you do: git config --global --add safe.directory ${top}`,
    });
  });

  it("says that git is missing", async () => {
    const folder = temporaryFolder();
    vi.stubEnv("PATH", folder);
    const refusal = findRepository(folder);
    await expect(refusal).rejects.toMatchObject({
      code: "usage",
      message: "git was not found on PATH: install it and try again.",
    });
    vi.unstubAllEnvs();
  });
});
