import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { approveAll, askEach } from "../../src/cli/consent.ts";

function terminal(signal = new AbortController().signal) {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = "";
  output.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
  });
  return { input, shown: () => shown, approve: askEach({ input, output, signal }) };
}

describe("askEach", () => {
  it.each([
    ["y", true],
    ["YES", true],
    ["n", false],
    ["", false],
    ["maybe", false],
  ])("takes %j for %s", async (answer, allowed) => {
    const { input, approve } = terminal();
    const decision = approve("ls");
    input.write(`${answer}\n`);
    expect(await decision).toBe(allowed);
  });

  it("asks no more after a", async () => {
    const { input, approve } = terminal();
    const first = approve("ls");
    input.write("a\n");
    expect(await first).toBe(true);
    expect(await approve("rm -rf build")).toBe(true);
  });

  it("refuses when interrupted while asking", async () => {
    const controller = new AbortController();
    const { approve } = terminal(controller.signal);
    const decision = approve("ls");
    controller.abort();
    expect(await decision).toBe(false);
  });

  it("rejects once nobody can answer any more", async () => {
    const { input, approve } = terminal();
    const decision = approve("ls");
    input.end();
    await expect(decision).rejects.toMatchObject({ code: "interrupted" });
    await expect(approve("ls")).rejects.toMatchObject({ code: "interrupted" });
  });

  it("shows every line of the command, control characters made visible", async () => {
    const { input, shown, approve } = terminal();
    const decision = approve("echo a\nrm -rf b \u001b[2K");
    input.write("n\n");
    await decision;
    expect(shown()).toContain("    echo a\n    rm -rf b \ufffd[2K");
  });
});

it("approveAll asks nobody", async () => {
  expect(await approveAll("anything")).toBe(true);
});
