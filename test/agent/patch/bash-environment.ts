import { spawn } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../../src/domain/environment.ts";

/** Bare bash in a folder: just what the patch needs of an environment. */
export function bashEnvironment(workdir: string): Environment {
  const spool = mkdtempSync(join(tmpdir(), "pmcoder-spool-"));
  const file = join(spool, "output");
  return {
    kind: "local",
    workdir,
    execute: (command) =>
      new Promise((resolve, reject) => {
        const output = openSync(file, "w");
        const child = spawn("bash", ["-c", command], {
          cwd: workdir,
          stdio: ["ignore", output, output],
        });
        child.on("error", reject);
        child.on("exit", (code) => {
          const head = readFileSync(file);
          resolve({
            exitCode: code ?? 1,
            timedOut: false,
            interrupted: false,
            background: false,
            output: { head, tail: new Uint8Array(), totalBytes: head.length, file },
            seconds: 0,
          });
        });
      }),
    read: async (path) => readFileSync(path),
    close: async () => rmSync(spool, { recursive: true, force: true }),
  };
}
