import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { type ConsentInput, consentFor } from "../../src/cli/choose-environment.ts";

const terminal = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY });

function input(given: Partial<ConsentInput>, isTTY = true) {
  const io = { stdin: terminal(isTTY), stderr: terminal(isTTY) };
  return { kind: "bubblewrap", io, signal: new AbortController().signal, ...given } as const;
}

/** Whether somebody is asked, and what an answer makes of it. */
async function asked(given: Partial<ConsentInput>, answer: string) {
  const { io: _, ...rest } = input(given);
  const io = { stdin: terminal(true), stderr: terminal(true) };
  let said = "";
  io.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    if (said.endsWith("[N]o: ")) io.stdin.write(`${answer}\n`);
  });
  const runs = await consentFor({ ...rest, io })("true");
  return { runs, question: said.split("\n")[0] ?? "" };
}

describe("who is asked before a command", () => {
  it.each([
    ["nobody in a sandbox", {}, "n", true, ""],
    ["nobody after --yes", { kind: "local", yes: true }, "n", true, ""],
    [
      "a person in local",
      { kind: "local" },
      "n",
      false,
      "Run in your own system, without a sandbox?",
    ],
    ["a person in a sandbox, with --confirm", { confirm: true }, "n", false, "Run in the sandbox?"],
    ["who may say yes", { confirm: true }, "y", true, "Run in the sandbox?"],
    ["in docker too", { kind: "docker", confirm: true }, "y", true, "Run in the sandbox?"],
  ] as const)("%s", async (_name, given, answer, runs, question) => {
    expect(await asked(given, answer)).toEqual({ runs, question });
  });

  it.each([
    [
      { yes: true, confirm: true },
      true,
      "--confirm asks before every command and --yes before none.",
    ],
    [
      { confirm: true },
      false,
      "--confirm asks at the terminal before every command, and nobody is there.",
    ],
    [{ kind: "local" }, false, "nobody is at the terminal to consent"],
  ] as const)("%j with a terminal: %s is refused", (given, isTTY, message) => {
    expect(() => consentFor(input(given, isTTY))).toThrow(message);
    expect(() => consentFor(input(given, isTTY))).toThrow(
      expect.objectContaining({ code: "usage" }),
    );
  });
});
