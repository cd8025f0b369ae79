import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printed, quote, runScript, writeBytes } from "../../../src/agent/patch/script.ts";
import { open, sh, temporaryFolder } from "./work-tree.ts";

describe("quote", () => {
  it("makes any text one word", () => {
    fc.assert(
      fc.property(
        fc.string().map((text) => text.replaceAll("\0", "")),
        (text) => {
          expect(Buffer.from(sh("/", `printf %s ${quote(text)}`), "latin1").toString()).toBe(text);
        },
      ),
      { numRuns: 20, examples: [["it's"], ["$(x) `y` \\"], [""]] },
    );
  });
});

describe("writeBytes", () => {
  it.each([0, 1, 63_999, 64_000, 64_001, 200_000])(
    "writes %i bytes of every kind",
    async (length) => {
      const folder = temporaryFolder();
      const environment = await open(folder);
      const file = join(folder, "it's a file");
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) % 256);
      sh(folder, 'echo old > "it\'s a file"');
      await writeBytes(environment, file, bytes);
      expect(Buffer.compare(await environment.read(file), bytes)).toBe(0);
    },
  );
});

describe("runScript", () => {
  it("takes an expected status for an answer and any other for an error", async () => {
    const environment = await open(temporaryFolder());
    const plan = { task: "count", expected: [0, 7] };
    const answer = await runScript(environment, "echo seven; exit 7", plan);
    expect(answer.exitCode).toBe(7);
    expect(printed(answer)).toBe(": seven");
    await expect(runScript(environment, "echo why >&2; exit 3", plan)).rejects.toMatchObject({
      code: "internal",
      message: "Could not count: its script ended with status 3: why",
    });
  });
});
