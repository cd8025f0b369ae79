import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished, vi } from "vitest";

/** A new empty folder that goes when the running test ends. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pmcoder-workspace-")));
  onTestFinished(() => void execFileSync("rm", ["-rf", folder]));
  return folder;
}

/** Runs a shell script in a folder and gives its output. */
export function sh(folder: string, script: string): string {
  const identity =
    "export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b";
  return execFileSync("bash", ["-ec", `${identity}\n${script}`], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** A repository with these files in one commit. */
export function repository(files: Readonly<Record<string, string>>, after = ":"): string {
  const folder = join(temporaryFolder(), "project");
  mkdirSync(folder);
  sh(folder, "git init -q -b main");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  sh(folder, `git add -A && git commit -q --allow-empty -m start\n${after}`);
  return folder;
}

/** Every path, mode, time and content of a tree, to see that nothing touched it. */
export function stateOf(folder: string): string {
  return sh(
    folder,
    "find . -printf '%p %M %T@ %l\\n' | sort; find . -type f -print0 | sort -z | xargs -0 sha1sum",
  );
}

/** Runs as a user whom permissions bind, which root is not. */
export async function bound<T>(folder: string, task: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return task();
  sh(folder, "printf '[safe]\\n\\tdirectory = *\\n' > .gitconfig; chown -R 65534:65534 .");
  vi.stubEnv("HOME", folder);
  process.seteuid?.(65534);
  try {
    return await task();
  } finally {
    process.seteuid?.(0);
    vi.unstubAllEnvs();
  }
}
