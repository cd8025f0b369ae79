import { existsSync, lstatSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type CopyOptions,
  copyRepository,
  findRepository,
  type Workspace,
} from "../../src/environments/workspace.ts";
import { canMount, mountSmallDisk } from "../store/small-disk.ts";
import { bound, repository, sh, stateOf, temporaryFolder } from "./repositories.ts";

async function copyOf(folder: string, options: Partial<CopyOptions> = {}): Promise<Workspace> {
  return copyRepository({
    repository: await findRepository(folder),
    into: join(temporaryFolder(), "copies"),
    mode: "full",
    limitBytes: 2 ** 31,
    ...options,
  });
}

describe("copyRepository", () => {
  const files = { ".gitignore": "build/\n.env*\n", "a.py": "x = 1\n", "lib/b.py": "b = 1\n" };
  const around = `mkdir build .pmcoder && echo g > build/gen.py && echo s > .pmcoder/pmcoder.db && echo '*' > .pmcoder/.gitignore
    echo u > untracked.py && echo 'x = 2' > a.py && chmod 750 a.py && ln -s lib/b.py link && ln -s /nowhere broken
    touch -d '2020-01-01' lib/b.py lib`;

  it("takes the whole tree as it stands, with modes, times and links", async () => {
    const top = repository(files, around);
    const before = stateOf(top);
    const copy = await copyOf(top);
    expect(sh(copy.top, "ls -A | sort | tr '\\n' ' '")).toBe(
      ".git .gitignore a.py broken build lib link untracked.py ",
    );
    expect(readFileSync(join(copy.top, "a.py"), "utf8")).toBe("x = 2\n");
    expect(statSync(join(copy.top, "a.py")).mode & 0o777).toBe(0o750);
    expect(statSync(join(copy.top, "lib")).mtime).toEqual(statSync(join(top, "lib")).mtime);
    expect(readlinkSync(join(copy.top, "broken"))).toBe("/nowhere");
    expect(readFileSync(join(copy.top, "build/gen.py"), "utf8")).toBe("g\n");
    expect(copy.leftOut).toEqual([]);
    expect(sh(copy.top, "git status --porcelain")).toBe(
      sh(top, "GIT_OPTIONAL_LOCKS=0 git status --porcelain"),
    );
    sh(copy.top, "echo 3 > a.py; git add -A; git commit -qm 3; git branch more; git stash list");
    expect(stateOf(top)).toBe(before);
    await copy.remove();
    await copy.remove();
    expect(existsSync(copy.top)).toBe(false);
    expect(stateOf(top)).toBe(before);
  });

  it("takes what git tracks or does not ignore when asked", async () => {
    const top = repository(
      files,
      `${around}; rm lib/b.py; git init -q nested; echo n > nested/n.py`,
    );
    const copy = await copyOf(top, { mode: "tracked", limitBytes: 1 });
    expect(sh(copy.top, "find . -path ./.git -prune -o -type f -print | sort | tr '\\n' ' '")).toBe(
      "./.gitignore ./a.py ./untracked.py ",
    );
    expect(readlinkSync(join(copy.top, "link"))).toBe("lib/b.py");
    expect(copy.leftOut).toEqual([{ path: "nested/", reason: "a repository of its own" }]);
    expect(sh(copy.top, "git status --porcelain")).toBe(
      " M a.py\n D lib/b.py\n?? broken\n?? link\n?? untracked.py\n",
    );
  });

  it.each(["full", "tracked"] as const)(
    "leaves untracked .env files out of a %s copy and names them",
    async (mode) => {
      const top = repository(
        { ...files, "config/.env.example": "KEY=\n" },
        "git add -f config/.env.example; git commit -qm e; echo K=1 > .env; echo K=1 > lib/.env.local; mkdir .envs; echo d > .envs/d; sed -i '/env/d' .gitignore; echo K=1 > .envrc; ln -s .env lib/.env",
      );
      const copy = await copyOf(top, { mode });
      expect(copy.leftOut.map(({ path }) => path).sort()).toEqual([
        ".env",
        ".envrc",
        "lib/.env",
        "lib/.env.local",
      ]);
      expect(copy.leftOut[0]?.reason).toBe("may hold secrets");
      expect(sh(copy.top, "find . -name '.env*' | sort")).toBe("./.envs\n./config/.env.example\n");
      expect(readFileSync(join(copy.top, ".envs/d"), "utf8")).toBe("d\n");
    },
  );

  it("refuses a full copy over the limit and says what to do", async () => {
    const top = repository(files, "mkdir build; truncate -s 2M build/big");
    const into = join(temporaryFolder(), "copies");
    await expect(copyOf(top, { into, limitBytes: 2 ** 20 })).rejects.toMatchObject({
      code: "usage",
      message: `${top} holds more than 1.0 MiB, ignored files included. Copy only what git knows with --copy tracked, or allow more with -c environment.copyLimitBytes=BYTES.`,
    });
    expect(existsSync(into)).toBe(false);
    expect(
      existsSync((await copyOf(top, { into, limitBytes: 2 ** 20, mode: "tracked" })).top),
    ).toBe(true);
  });

  it("counts the git folder too", async () => {
    const top = repository(files, "head -c 3000000 /dev/urandom > .git/objects/pack/x");
    await expect(copyOf(top, { limitBytes: 2 ** 20 })).rejects.toMatchObject({ code: "usage" });
  });

  it("copies odd names, also beside something that is left out", async () => {
    const odd =
      'for f in -n \'a b\' "it\'s" $\'new\\nline\' $\'bad\\xff\' \' \'; do mkdir -p "d$f"; echo x > "d$f/$f"; echo x > "./$f"; echo K > "d$f/.env"; done';
    const top = repository({}, odd);
    for (const mode of ["full", "tracked"] as const) {
      const copy = await copyOf(top, { mode });
      expect(copy.leftOut).toHaveLength(6);
      const list = "find . -name .git -prune -o -type f ! -name .env -print0 | sort -z | od -c";
      expect(sh(copy.top, list)).toBe(sh(top, list));
      await copy.remove();
    }
  });

  it("names sockets and pipes instead of stopping at them", async () => {
    const top = repository(
      files,
      "mkfifo pipe; mkdir run; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"run/s\")'; cp -a run/s .git/fsmonitor--daemon.ipc",
    );
    const copy = await copyOf(top);
    expect(copy.leftOut).toEqual([
      { path: "pipe", reason: "not a file" },
      { path: "run/s", reason: "not a file" },
    ]);
    expect(existsSync(join(copy.top, "run"))).toBe(true);
    expect(existsSync(join(copy.top, ".git/fsmonitor--daemon.ipc"))).toBe(false);
  });

  it("names what it may not read and takes the rest", async () => {
    const top = repository(
      { ...files, "lib/c.py": "c\n" },
      "mkdir shut half && echo x | tee shut/x half/x && chmod 000 shut lib/b.py && chmod 444 half",
    );
    const into = temporaryFolder();
    sh(into, "chmod 777 .");
    const copy = await bound(join(top, ".."), () => copyOf(top, { into: join(into, "c") }));
    expect(copy.leftOut.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: "half/x", reason: "unreadable" },
      { path: "lib/b.py", reason: "unreadable" },
      { path: "shut", reason: "unreadable" },
    ]);
    expect(readFileSync(join(copy.top, "lib/c.py"), "utf8")).toBe("c\n");
  });

  it("removes a copy with read-only folders inside", async () => {
    const top = repository(
      files,
      "mkdir -p deps/mod && echo m > deps/mod/m && chmod 555 deps deps/mod && chmod 444 deps/mod/m",
    );
    const into = temporaryFolder();
    sh(into, "chmod 777 .");
    await bound(join(top, ".."), async () => {
      const copy = await copyOf(top, { into: join(into, "c") });
      expect(statSync(join(copy.top, "deps")).mode & 0o777).toBe(0o555);
      await copy.remove();
      expect(existsSync(copy.top)).toBe(false);
    });
    sh(top, "chmod -R u+w deps");
  });

  it("does not copy itself when it lies in the repository", async () => {
    const top = repository(files);
    const copy = await copyOf(top, { into: join(top, "work/copies") });
    expect(existsSync(join(copy.top, "work/copies"))).toBe(false);
    expect(existsSync(join(copy.top, "a.py"))).toBe(true);
  });

  it("starts in the folder that was named", async () => {
    const top = repository(files);
    const copy = await copyOf(join(top, "lib"));
    expect(copy.workdir).toBe(join(copy.top, "lib"));
    expect(copy.top.endsWith("/project")).toBe(true);
    expect(lstatSync(join(copy.top, "a.py")).isFile()).toBe(true);
  });

  it.runIf(canMount)("says that the disk is full and leaves nothing behind", async () => {
    const disk = mountSmallDisk(512);
    if (disk === null) throw new Error("no disk could be mounted");
    onTestFinished(disk.remove);
    const top = repository({}, "head -c 600000 /dev/urandom > big");
    for (const mode of ["full", "tracked"] as const) {
      const copying = copyOf(top, { into: disk.folder, mode });
      await expect(copying).rejects.toMatchObject({
        code: "storage",
        message: expect.stringMatching(/no room.*--copy tracked/),
      });
      expect(sh(disk.folder, "ls -A")).toBe("");
    }
  });

  it("stops when it is told to and leaves nothing behind", async () => {
    const top = repository(files);
    const into = temporaryFolder();
    const signal = AbortSignal.abort(new Error("stop"));
    await expect(copyOf(top, { into, signal })).rejects.toThrow("stop");
    expect(sh(into, "ls -A")).toBe("");
  });
});
