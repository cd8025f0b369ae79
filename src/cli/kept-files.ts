import { chmod, lstat, mkdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** A file or a link as it was; null: there was none. */
interface Original {
  readonly path: Buffer;
  readonly was: {
    readonly mode: number;
    readonly changedMs: number;
    readonly link: boolean;
    readonly content: Buffer;
  } | null;
}

/** Holds in memory what stands at these paths, each a byte string (latin1) relative to `top`. */
export async function keepFiles(top: string, paths: readonly string[]): Promise<Original[]> {
  return Promise.all(
    paths.map(async (name) => {
      const path = Buffer.concat([Buffer.from(`${top}/`), Buffer.from(name, "latin1")]);
      const stats = await lstat(path).catch(() => null);
      if (!stats?.isFile() && !stats?.isSymbolicLink()) return { path, was: null };
      const link = stats.isSymbolicLink();
      const content = link ? await readlink(path, "buffer") : await readFile(path);
      return { path, was: { mode: stats.mode & 0o7777, changedMs: stats.ctimeMs, link, content } };
    }),
  );
}

/** Puts back what is no longer as it was. Rejects when that fails for some file, after the others. */
export async function restoreFiles(originals: readonly Original[]): Promise<void> {
  const restored = await Promise.allSettled(originals.map(restore));
  const failed = restored.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}

async function restore({ path, was }: Original): Promise<void> {
  const now = await lstat(path).catch(() => null);
  if (was === null ? now === null : now?.ctimeMs === was.changedMs) return;
  if (now?.isDirectory() !== true) await rm(path, { force: true });
  if (was === null) return;
  await mkdir(Buffer.from(dirname(path.toString("latin1")), "latin1"), { recursive: true });
  if (was.link) return symlink(was.content, path);
  await writeFile(path, was.content);
  await chmod(path, was.mode);
}
