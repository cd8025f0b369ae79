import { mkdirSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { sh, temporaryFolder, workTree } from "./work-tree.ts";

const folders = ["", "d/", "d/e/", "\xfc/"];
const path = fc
  .tuple(fc.constantFrom(...folders), fc.uint8Array({ minLength: 1, maxLength: 6 }))
  .map(([folder, name]) => {
    const file = Buffer.from(name).toString("latin1").replaceAll(/[\0/]/g, "_");
    return `${folder}n${file}`;
  });
const line = fc.constantFrom("a", "b\r", "", "\xff\xfe", "-- a/x", "++ b/x", "\\ No newline", "\0");
const content = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom("", "\n"))
  .map(([lines, end]) => lines.join("\n") + end);
const files = fc.dictionary(path, content, { maxKeys: 6 });

function fill(folder: string, tree: Readonly<Record<string, string>>): void {
  const inside = (name: string) => Buffer.from(`${folder}/${name}`, "latin1");
  for (const name of folders) mkdirSync(inside(name), { recursive: true });
  for (const [name, text] of Object.entries(tree)) {
    writeFileSync(inside(name), Buffer.from(text, "latin1"));
  }
}

const treeOf = "git add -A && git write-tree";

it("turns the base into the work tree, whatever was edited", async () => {
  await fc.assert(
    fc.asyncProperty(files, files, async (before, after) => {
      const seed = temporaryFolder();
      fill(seed, before);
      const tree = await workTree({ keep: "1\n" }, `cp -a ${seed}/. .`);
      tree.act("find . -mindepth 1 -maxdepth 1 ! -name .git ! -name keep -exec rm -rf {} +");
      fill(tree.folder, after);
      const patch = await tree.extract();
      expect(patch.record.applies).toBe(true);
      expect(sh(tree.applied(patch), treeOf)).toBe(sh(tree.folder, treeOf));
    }),
    { numRuns: 6 },
  );
}, 60_000);
