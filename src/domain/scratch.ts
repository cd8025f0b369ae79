/** What people and models call a throw-away script: `repro_12.py`, `test_fix.py`, `debug.js`. */
const throwAwayName =
  /^(?:repro|test_|debug|check|verify|demo|example|script|tmp|issue|bug|simple|minimal|final)[\w.-]*\.\w+$/i;

/** Captured output, saved diffs and what a patch tool leaves beside a file. */
const byProduct = /\.(?:diff|patch|log|bak|orig|rej|py[co])$/i;

/** Folders that interpreters, test runners and package managers fill by themselves. */
const toolFolder =
  /^(?:.*?\/)??(?:__pycache__|\.(?:pytest|mypy|ruff)_cache|\.hypothesis|node_modules)\//;

/**
 * Whether a file that is new, untracked when the episode began, is scratch rather than work: at the
 * top of the repository with the name of a throw-away script, or by its extension or folder a
 * by-product. A new file inside a package is work whatever its name, because that is where new
 * tests and modules go. `path` is relative to the top of the repository. Our choice: prompts of
 * this kind ask for a reproduction script early, and it must not reach the patch.
 */
export function isScratch(path: string): boolean {
  if (byProduct.test(path) || toolFolder.test(path)) return true;
  return !path.includes("/") && throwAwayName.test(path);
}

/** The tool folder that holds this path, with its final slash, or null. */
export function toolFolderOf(path: string): string | null {
  return toolFolder.exec(path)?.[0] ?? null;
}
