import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractionPrompt, scriptIn } from "../../../src/agent/grounding/extraction.ts";

const block = (tag: string, text: string, mark = "```") => `${mark}${tag}\n${text}${mark}\n`;

describe("the script in a reply", () => {
  it.each([
    ["a block of Python", block("python", "exit(1)\n"), { lang: "python", text: "exit(1)\n" }],
    ["short names", block("py", "exit(1)\n"), { lang: "python", text: "exit(1)\n" }],
    ["a block of bash", block("sh", "exit 1\n"), { lang: "bash", text: "exit 1\n" }],
    [
      "talk around it",
      `Here:\n\n${block("Bash", "exit 1\n")}\nDone.`,
      { lang: "bash", text: "exit 1\n" },
    ],
    [
      "another language before it",
      block("json", "{}\n") + block("python", "exit(1)\n"),
      { lang: "python", text: "exit(1)\n" },
    ],
    [
      "fences of a longer kind",
      block("python", "a = '''\n```\n'''\n", "````"),
      { lang: "python", text: "a = '''\n```\n'''\n" },
    ],
    [
      "lines that end as in DOS",
      "```python\r\nexit(1)\r\n```",
      { lang: "python", text: "exit(1)\n" },
    ],
    ["no tag", block("", "exit(1)\n"), null],
    ["no script", "I cannot tell.", null],
    ["an empty block", block("python", "\n"), null],
    ["a block that was cut", "```python\nimport sys\nsys.exi", null],
  ])("with %s", (_name, reply, expected) => {
    expect(scriptIn(reply)).toEqual(expected);
  });

  it("comes back as it was written, whatever it holds", () => {
    const text = fc.string().map((line) => `x${line.replaceAll(/[\r`~]/g, "")}\n`);
    fc.assert(
      fc.property(text, (script) => {
        expect(scriptIn(`So.\n${block("python", script)}`)).toEqual({
          lang: "python",
          text: script,
        });
      }),
    );
  });

  it("never throws, and takes linear time", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("`", "~", "\n", "py", " ") }), (reply) => {
        scriptIn(reply);
      }),
    );
    expect(scriptIn("```python\n".repeat(20_000))).toBeNull();
  });
});

describe("the request for a script", () => {
  it("holds the issue and nothing else, cut where it is very long", () => {
    const [system, user, ...more] = extractionPrompt("Boom.");
    expect(more).toEqual([]);
    expect(system?.role).toBe("system");
    expect(user).toEqual({ role: "user", content: "The report:\n\nBoom." });
    expect(extractionPrompt("x".repeat(100_000))[1]?.content).toHaveLength(24_013);
  });
});
