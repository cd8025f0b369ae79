import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PmcoderError } from "../../src/domain/errors.ts";
import { writeOutput, writeWhole } from "../../src/store/files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pmcoder-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("writeOutput", () => {
  it("makes the folder, and writes text, bytes and objects each as they are", () => {
    const output = join(folder, "runs", "r1");
    const bytes = Uint8Array.of(0xff, 0x00, 0x0d, 0x0a);
    writeOutput(output, "patch.diff", bytes);
    writeOutput(output, "submission.diff", "diff é\n");
    writeOutput(output, "summary.json", { run: "r1", exit_status: "running" });
    expect(readFileSync(join(output, "patch.diff"))).toEqual(Buffer.from(bytes));
    expect(readFileSync(join(output, "submission.diff"), "utf8")).toBe("diff é\n");
    expect(readFileSync(join(output, "summary.json"), "utf8")).toBe(
      '{\n  "run": "r1",\n  "exit_status": "running"\n}\n',
    );
    expect(readdirSync(output).sort()).toEqual(["patch.diff", "submission.diff", "summary.json"]);
  });

  it("replaces what was there, an empty file too", () => {
    writeOutput(folder, "patch.diff", "a long old patch\n");
    writeOutput(folder, "patch.diff", "");
    expect(readFileSync(join(folder, "patch.diff"), "utf8")).toBe("");
  });

  it("says what stands in its place", () => {
    mkdirSync(join(folder, "patch.diff", "x"), { recursive: true });
    writeFileSync(join(folder, "file"), "");
    const writing = (path: string) => () => writeWhole(join(folder, path), "a");
    expect(writing("patch.diff")).toThrow(
      /^Cannot write .*patch\.diff: a folder stands in its place/,
    );
    expect(writing("file/patch.diff")).toThrow(
      /^Cannot write .*: a (part of its path is a file|file stands)/,
    );
    expect(writing("file/patch.diff")).toThrow(PmcoderError);
    expect(readdirSync(folder).sort()).toEqual(["file", "patch.diff"]);
  });

  it("never shows a reader a part of a file, though its writer is killed", async () => {
    const file = join(folder, "summary.json");
    const script = `
      import { writeWhole } from ${JSON.stringify(join(import.meta.dirname, "../../src/store/files.ts"))};
      for (let n = 0; ; n += 1) {
        writeWhole(${JSON.stringify(file)}, JSON.stringify({ n, padding: "x".repeat(200_000 + (n % 7) * 1000) }));
        process.stdout.write(n + "\\n");
      }`;
    for (const patience of [2, 9]) {
      const child = spawn(
        process.execPath,
        ["--import", "tsx", "--input-type=module", "-e", script],
        {
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      let told = 0;
      await new Promise<void>((resolve) => {
        child.stdout.on("data", (chunk: Buffer) => {
          told += chunk.toString().split("\n").length - 1;
          const { n, padding } = JSON.parse(readFileSync(file, "utf8"));
          expect(padding).toHaveLength(200_000 + (n % 7) * 1000);
          if (told > patience) resolve();
        });
      });
      child.kill("SIGKILL");
      await new Promise((resolve) => child.on("close", resolve));
      const { n, padding } = JSON.parse(readFileSync(file, "utf8"));
      expect(padding).toHaveLength(200_000 + (n % 7) * 1000);
      expect(n).toBeGreaterThanOrEqual(patience);
    }
  });
});
