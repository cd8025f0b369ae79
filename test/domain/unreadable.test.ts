import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { whyUnreadable } from "../../src/domain/unreadable.ts";

const folder = mkdtempSync(join(tmpdir(), "pmcoder-unreadable-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, "file"), "");

function reasonOf(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    return whyUnreadable(error);
  }
}

const zipped = gzipSync("hello ".repeat(100));
const damaged = Uint8Array.from(zipped, (byte, at) =>
  at < zipped.length - 8 ? byte : byte ^ 0xff,
);

it.each([
  ["none", () => readFileSync(join(folder, "none")), "there is no such file"],
  ["a folder", () => readFileSync(folder), "it is a folder"],
  ["below a file", () => readFileSync(join(folder, "file", "a")), "a part of its path is a file"],
  ["a long name", () => readFileSync(join(folder, "x".repeat(300))), "its name is too long"],
  ["cut gzip", () => gunzipSync(zipped.subarray(0, -12)), "it is a damaged gzip file"],
  ["damaged gzip", () => gunzipSync(damaged), "it is a damaged gzip file"],
  [
    "a failure without words of ours",
    () => {
      throw Object.assign(new Error("odd"), { code: "EODD" });
    },
    "odd",
  ],
])("says why %s cannot be read", (_, read, reason) => {
  expect(reasonOf(read)).toBe(reason);
});
