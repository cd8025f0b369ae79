import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { html, type Value } from "../../src/domain/html.ts";

describe("html", () => {
  it.each([
    ["a tag", "<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
    ["an attribute's end", `" onclick='x'`, "&quot; onclick=&#39;x&#39;"],
    ["an entity", "&lt;", "&amp;lt;"],
    ["colours", "\u001b[1;31mred\u001b[0m", "red"],
    ["another escape sequence", "\u001b]0;title\u0007", "\u241b]0;title\u2407"],
    ["NUL, backspace and delete", "a\0\b\u007f", "a\u2400\u2408\u2421"],
    ["line ends", "a\r\nb\rc\td", "a\nb\u240dc\td"],
    ["text that runs backwards", "a\u202eb", "a&lt;U+202E&gt;b"],
    ["half a character", "a\ud800b", "a\ufffdb"],
    ["whole characters", "文字 😀", "文字 😀"],
    ["a C1 control", "a\u009bb", "a\ufffdb"],
  ])("makes %s harmless", (_, text, expected) => {
    expect(html`<p>${text}</p>`.text).toBe(`<p>${expected}</p>`);
  });

  it("keeps markup, numbers and lists, and leaves out nothing", () => {
    const items: readonly Value[] = ["<", html`<b>2</b>`, 3, null, false];
    expect(html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`.text).toBe(
      "<ul><li>&lt;</li><li><b>2</b></li><li>3</li><li></li><li></li></ul>",
    );
  });

  it("lets no text act, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const made = html`${text}`.text;
        expect(made).not.toMatch(/[<>"']/);
        expect(made).not.toMatch(/[^\P{Cc}\t\n]|\p{Cs}/u);
      }),
    );
  });
});
