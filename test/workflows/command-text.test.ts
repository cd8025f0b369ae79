import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { onPatch, runScriptText } from "../../src/workflows/command-text.ts";

const folder = mkdtempSync(join(tmpdir(), "pmcoder-command-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bash = (command: string) =>
  execFileSync("bash", ["-c", command], { cwd: folder, encoding: "utf8" });

describe("runScriptText", () => {
  it.each([
    ["quotes and dollars", "echo '$HOME' \"`id -u`\" \\\\\n"],
    ["its own end word", "cat <<'SCRIPT'\nx\nSCRIPT\necho after\n"],
    ["no line end", "echo one"],
  ])("writes and runs a script with %s", (_, text) => {
    const printed = bash(runScriptText({ lang: "bash", text }, "probe"));
    expect(readFileSync(join(folder, "probe.sh"), "utf8").trimEnd()).toBe(text.trimEnd());
    expect(printed).toBe(bash(text));
  });
});

describe("onPatch", () => {
  it("stops where the patch does not apply", () => {
    const patch = "diff --git a/none b/none\n--- a/none\n+++ b/none\n@@ -1 +1 @@\n-a\n+b\n";
    expect(() => bash(onPatch(patch, "echo went on"))).toThrow(
      expect.objectContaining({ status: 96, stdout: "" }),
    );
  });
});
