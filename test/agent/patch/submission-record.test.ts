import { describe, expect, it } from "vitest";
import { recordSubmission } from "../../../src/agent/patch/submission-record.ts";
import { workTree } from "./work-tree.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");

/** A tree, and what the model would submit of a change to it. */
async function submission(files: Record<string, string>, act: string, command = "git diff") {
  const tree = await workTree(files);
  tree.act(act);
  const text = tree.act(command);
  return {
    text,
    record: (sent: string) => recordSubmission(tree.environment, tree.base, bytes(sent)),
  };
}

describe("recordSubmission", () => {
  it("keeps a patch byte for byte", async () => {
    const { text, record } = await submission(
      { "a.py": "x = 1\r\ny = 'caf\xe9'\n" },
      "sed -i s/1/2/ a.py",
    );
    const patch = await record(text);
    expect(Buffer.from(patch.bytes).toString("latin1")).toBe(text);
    expect(patch.record).toEqual({
      source: "submission",
      bytes: text.length,
      files: ["a.py"],
      leftOut: [],
      applies: true,
    });
  });

  it.each(["", "\n", " \n\t\r\n"])("takes %j as empty", async (text) => {
    const { record } = await submission({ "a.py": "1\n" }, "true");
    expect(await record(text)).toMatchObject({
      bytes: new Uint8Array(),
      record: { bytes: 0, files: [], applies: true },
    });
  });

  it("ends a patch with exactly one newline", async () => {
    const { text, record } = await submission({ "u.py": "t = 0\n" }, "echo 'u = 2' >> u.py");
    expect(text.endsWith("+u = 2\n")).toBe(true);
    for (const sent of [text.trimEnd(), text, `${text}\n\n`]) {
      const patch = await record(sent);
      expect(Buffer.from(patch.bytes).toString("latin1")).toBe(text);
      expect(patch.record.applies).toBe(true);
    }
  });

  it("keeps a last context line that is a single space", async () => {
    const { text, record } = await submission(
      { "a.py": "u = 1\nv = 1\n\n" },
      "sed -i s/v.*/v/ a.py",
    );
    expect(text.endsWith("+v\n \n")).toBe(true);
    expect(Buffer.from((await record(text)).bytes).toString("latin1")).toBe(text);
  });

  it.each([
    [
      "a binary section's",
      "printf '\\0\\1' > b.bin && git add b.bin",
      "git diff --cached --binary",
    ],
    ["a bare context line's", "sed -i s/v.*/v/ a.py", "git diff | sed 's/^ $//'"],
  ])("keeps %s blank line at the end", async (_, act, command) => {
    const { text, record } = await submission({ "a.py": "u = 1\nv = 1\n\n" }, act, command);
    expect(text.endsWith("\n\n")).toBe(true);
    const patch = await record(text);
    expect(Buffer.from(patch.bytes).toString("latin1")).toBe(text);
    expect(patch.record.applies).toBe(true);
  });

  it.each([
    ["prose", "I changed a.py.\n", []],
    ["a cut hunk", "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-1\n", ["a.py"]],
    ["another tree", "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-7\n+8\n", ["a.py"]],
    ["CRLF on an LF file", "--- a/a.py\r\n+++ b/a.py\r\n@@ -1 +1 @@\r\n-1\r\n+2\r\n", ["a.py"]],
  ])("says that %s does not apply", async (_, text, files) => {
    const { record } = await submission({ "a.py": "1\n" }, "true");
    expect((await record(text)).record).toMatchObject({ files, applies: false });
  });

  it("takes a large patch", async () => {
    const { text, record } = await submission(
      { "a.py": "1\n" },
      'yes "it\'s 100% \\\\0377 $HOME" | head -c 1000000 > a.py',
    );
    const patch = await record(text);
    expect(patch.record).toMatchObject({ bytes: text.length, applies: true });
  });
});
