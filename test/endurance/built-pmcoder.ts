import { execFileSync } from "node:child_process";
import { readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** One for each worker of the tests, as they start at once. */
const build = join(root, "artifacts", `endurance-${process.env["VITEST_POOL_ID"] ?? 0}`);
const main = join(build, "src", "cli", "main.js");

/** When a folder's newest file was written, epoch ms. */
function newestIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const times = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs);
  return Math.max(0, ...times);
}

let isBuilt = false;

/**
 * The built program, from the sources as they stand when it is first asked for: it starts in a
 * third of the time that they take, and its processes are killed by the hundred.
 */
export function builtPmcoder(): string {
  if (!isBuilt) buildOnce();
  isBuilt = true;
  return main;
}

function buildOnce(): void {
  const written = Math.max(...["src", "statecharts"].map((name) => newestIn(join(root, name))));
  if ((statSync(main, { throwIfNoEntry: false })?.mtimeMs ?? 0) > written) return;
  const started = new Date();
  const tsc = join(root, "node_modules", ".bin", "tsc");
  const options = ["-p", join(root, "tsconfig.build.json"), "--outDir", build, "--noCheck"];
  execFileSync(tsc, options, { cwd: root, stdio: "inherit" });
  utimesSync(main, started, started);
}
