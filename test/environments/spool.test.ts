import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { hostSpool, prepareSpool } from "../../src/environments/spool.ts";

const folder = mkdtempSync(join(tmpdir(), "pmcoder-spool-"));
afterAll(() => rmSync(folder, { recursive: true }));
const spool = hostSpool(folder);

it.each([
  [0, "", ""],
  [3, "abc", ""],
  [4, "abcd", ""],
  [6, "abcd", "ef"],
  [8, "abcd", "efgh"],
  [20, "abcd", "qrst"],
])("of %i bytes, ends of 4 are %j and %j", async (bytes, head, tail) => {
  writeFileSync(join(folder, "f"), "abcdefghijklmnopqrst".slice(0, bytes));
  const ends = await spool.ends("f", 4);
  expect([`${Buffer.from(ends.head)}`, `${Buffer.from(ends.tail)}`]).toEqual([head, tail]);
  expect([ends.totalBytes, await spool.size("f")]).toEqual([bytes, bytes]);
});

it("ends are the whole when they fit, else its two ends", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 40 }),
      fc.integer({ min: 1, max: 20 }),
      async (all, n) => {
        writeFileSync(join(folder, "g"), all);
        const { head, tail, totalBytes } = await spool.ends("g", n);
        expect(totalBytes).toBe(all.length);
        expect([...head]).toEqual([...all.slice(0, n)]);
        expect([...tail]).toEqual([...all.slice(Math.max(n, all.length - n))]);
      },
    ),
  );
});

it("a file that its command removed is empty", async () => {
  expect(await spool.ends("none", 4)).toMatchObject({ totalBytes: 0 });
  expect(await spool.size("none")).toBe(0);
});

it("numbers go on after the highest there is", async () => {
  const fresh = join(folder, "a", "b");
  expect(await prepareSpool(fresh)).toBe(1);
  for (const name of ["0002.log", "0010.log", "0010.log.sh", "copy.tmp"]) {
    writeFileSync(join(fresh, name), "");
  }
  expect(await prepareSpool(fresh)).toBe(11);
});
