import { describe, expect, it } from "vitest";
import { runHost } from "../../src/environments/host-command.ts";
import { temporaryFolder } from "./repositories.ts";

const cwd = "/";

describe("runHost", () => {
  it("gives the exit status, all of the output and English messages", async () => {
    const result = await runHost(["bash", "-c", "head -c 3000000 /dev/zero; ls /none; exit 7"], {
      cwd,
    });
    expect(result.exitCode).toBe(7);
    expect(result.stdout).toHaveLength(3_000_000);
    expect(result.stderr).toContain("No such file or directory");
  });

  it("hands over the input, also to a program that does not read it", async () => {
    const input = Buffer.alloc(1_000_000, "x");
    expect((await runHost(["wc", "-c"], { cwd, input })).stdout.toString().trim()).toBe("1000000");
    expect((await runHost(["true"], { cwd, input })).exitCode).toBe(0);
  });

  it("says 127 for a program that is not there", async () => {
    expect((await runHost(["no-such-program"], { cwd })).exitCode).toBe(127);
  });

  it("kills the program and its children when the signal aborts", async () => {
    const folder = temporaryFolder();
    const abort = new AbortController();
    const running = runHost(["bash", "-c", "(sleep 0.5; touch late) | cat; touch later"], {
      cwd: folder,
      signal: abort.signal,
    });
    setTimeout(() => abort.abort(new Error("stop")), 100);
    await expect(running).rejects.toThrow("stop");
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect((await runHost(["ls"], { cwd: folder })).stdout.toString()).toBe("");
  });
});
