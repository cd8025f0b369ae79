import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { configOf } from "../../src/cli/config-command.ts";
import { temporaryFolder } from "./temporary-folder.ts";

async function pmcoderConfig(home: string, ...args: readonly string[]) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const codes: number[] = [];
  const io = {
    env: { HOME: home },
    cwd: home,
    stdin: Readable.from([]),
    stdout,
    stderr,
    signals: new EventEmitter(),
    leave: (code: number) => void codes.push(code),
  };
  const command = configOf(io, (code) => codes.push(code));
  await command.parseAsync([...args], { from: "user" });
  return { codes, out: String(stdout.read() ?? ""), err: String(stderr.read() ?? "") };
}

describe("pmcoder config", () => {
  it("sets a key in the user's file, and prints it from then on", async () => {
    const home = temporaryFolder();
    const path = join(home, ".config", "pmcoder", "config.yaml");
    expect(await pmcoderConfig(home, "set", "model", "anthropic:a")).toEqual({
      codes: [0],
      out: "",
      err: `model is set in ${path}\n`,
    });
    expect(readFileSync(path, "utf8")).toBe("model:\n  name: anthropic:a\n");
    const { codes, out } = await pmcoderConfig(home, "--json", "-c", "seed=3", "-c", "seed=4");
    expect(codes).toEqual([0]);
    expect(JSON.parse(out)).toMatchObject({ model: { name: "anthropic:a" }, seed: 4 });
    expect((await pmcoderConfig(home)).out).toContain(`  name: anthropic:a # ${path}:2\n`);
  });

  it("refuses an unknown key", async () => {
    await expect(pmcoderConfig(temporaryFolder(), "set", "modl", "a:b")).rejects.toThrow(
      "unknown key modl; did you mean model?",
    );
  });
});
