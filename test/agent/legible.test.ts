import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { legible, wholeAtEnd, wholeAtStart } from "../../src/agent/legible.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");

describe("legible", () => {
  it.each([
    ["invalid UTF-8", latin1("ok \x96 end\n"), "ok \ufffd end\n"],
    ["NUL and colours", latin1("a\0b \x1b[31mred\x1b[0m\n"), "a\u2400b red\n"],
    ["a title", latin1("\x1b]0;title\x07text"), "text"],
    ["bell, delete, escape alone", latin1("\x07\x7f"), "\u2407\u2421"],
    ["a byte order mark", Buffer.from("\ufeffx"), "\ufeffx"],
    ["carriage returns and tabs", latin1("a\r\n\tb"), "a\r\n\tb"],
  ])("shows %s", (_name, bytes, text) => {
    expect(legible(bytes)).toBe(text);
  });

  it("leaves no control character but tab, newline and return in any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(legible(bytes).replace(/[\t\n\r]/g, "")).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});

describe("cutting between code points", () => {
  it("keeps every whole code point and no part of another", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), fc.nat(200), (text, at) => {
        const bytes = Buffer.from(text, "utf8");
        const head = wholeAtEnd(bytes.subarray(0, at));
        const tail = wholeAtStart(bytes.subarray(at));
        const decode = (part: Uint8Array) =>
          new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(part);
        expect(text.startsWith(decode(head))).toBe(true);
        expect(text.endsWith(decode(tail))).toBe(true);
        expect(bytes.length - head.length - tail.length).toBeLessThanOrEqual(4);
      }),
    );
  });
});
