import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new empty folder that goes when the running test ends. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pmcoder-cli-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
