import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const readme = readFileSync("README.md", "utf8");

/** Files of the project that the README names. */
const named = (pattern: RegExp) => [
  ...new Set([...readme.matchAll(pattern)].map(([, path]) => path ?? "")),
];

describe("README", () => {
  it.each(named(/`(test\/[\w./-]+\.test\.ts)`/g))("names %s, which is there", (path) => {
    expect(existsSync(path)).toBe(true);
  });

  it.each(named(/\]\((?!https?:|#)([^)\s]+)\)/g))("links to %s, which is there", (path) => {
    expect(existsSync(path)).toBe(true);
  });
});
