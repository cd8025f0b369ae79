import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folderNameOf } from "../../src/store/folder-name.ts";

const reservedNames = ["con", "PRN", "aux.txt", "nul", "com1", "lpt9.x", ".", "..", "~", "-rf"];
const ids = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.stringMatching(/^[a-zA-Z0-9._/\\~-]{0,130}$/),
  fc.constantFrom(...reservedNames),
);

describe("the folder of an instance", () => {
  it.each([
    ["sympy__sympy-23824", "sympy__sympy-23824"],
    ["scikit-learn__scikit-learn-14087", "scikit-learn__scikit-learn-14087"],
    ["20261130-142501-ab12", "20261130-142501-ab12"],
    ["_a.b", "_a.b"],
    ["a".repeat(100), "a".repeat(100)],
    ["Octo-Org__Wid.get-42", "octo-org__wid-get-42~1aea1cfb957ca85ffd8ce4ac73094fec"],
    ["", "~e3b0c44298fc1c149afbf4c8996fb924"],
  ])("%j is %s", (id, name) => {
    expect(folderNameOf(id)).toBe(name);
  });

  it.each([
    ["a/b", /^a-b~/],
    ["../../etc/passwd", /^etc-passwd~/],
    ["..", /^~/],
    ["a.", /^a~/],
    ["-rf", /^rf~/],
    [".git", /^git~/],
    ["con", /^con~/],
    ["nul.tar", /^nul-tar~/],
    ["C:\\x", /^c-x~/],
    ["a\0b\n", /^a-b~/],
    ["naïve", /^na-ve~/],
    ["日本語", /^~/],
    ["a".repeat(101), /^a{60}~/],
    ["plain~0123", /^plain-0123~/],
  ])("%j keeps what can be read of it", (id, name) => {
    expect(folderNameOf(id)).toMatch(name);
  });

  it.each([
    ["case", "Django__Django-1", "django__django-1"],
    ["composition", "n\u00e9", "ne\u0301"],
    ["the halves of surrogate pairs", "\ud800", "\ud801"],
    ["a separator", "a/b", "a\\b"],
    ["its end", "b".repeat(101), "b".repeat(102)],
  ])("differs between ids that differ in %s alone", (_what, one, other) => {
    const names = [one, other].map((id) => folderNameOf(id).normalize("NFC").toLowerCase());
    expect(names[0]).not.toBe(names[1]);
  });

  it("is one path part of 1 to 100 plain bytes, whatever the id", () => {
    fc.assert(
      fc.property(ids, (id) => {
        const name = folderNameOf(id);
        expect(name).toMatch(/^[a-z0-9_~][a-z0-9._~-]{0,99}$/);
        expect(name).not.toMatch(/\.$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/);
      }),
      { numRuns: 500 },
    );
  });

  it("is another one for another id, and the same for the same", () => {
    fc.assert(
      fc.property(ids, ids, (one, other) => {
        expect(folderNameOf(one) === folderNameOf(other)).toBe(one === other);
      }),
      { numRuns: 500 },
    );
  });

  it("is never the name of a plain id for one that is not plain", () => {
    fc.assert(
      fc.property(ids, (id) => {
        const name = folderNameOf(id);
        expect(name === id || folderNameOf(name) !== name).toBe(true);
      }),
    );
  });
});
