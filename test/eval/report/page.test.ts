import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { analyse, materialOf } from "../../../src/eval/report/analysis.ts";
import { pageOf } from "../../../src/eval/report/page.ts";
import { documentOf } from "../../../src/eval/report/report.ts";
import type { ReportSource } from "../../../src/eval/report/source.ts";
import { expectAccessible, openPage, type Screen } from "../../viewer/browser.ts";
import { hasChromium } from "../../viewer/chromium.ts";
import { resultOf, sourceOf } from "./report-source.ts";
import { richResults } from "./rich-results.ts";

const style = ["viewer/base.css", "report/report.css"]
  .map((name) => readFileSync(`assets/${name}`, "utf8"))
  .join("\n");

const bootstrap = { resamples: 200, seed: 1 };

const pageFor = (source: ReportSource) =>
  pageOf(documentOf(analyse(materialOf(source, { bootstrap }))), style);

const arms = ["baseline", "plan-only", "memory-only", "full"];
const results = richResults(40, arms, 3);
const peeking = results.find(({ peeks }) => peeks > 0);
const page = pageFor(
  sourceOf(results, {
    gold: [{ instance: "sympy__sympy-10000", resolved: false, remark: null, seconds: 3 }],
    peeks: new Map([
      [peeking?.job ?? "", [{ step: 3, command: "git log --all", reason: "other branches" }]],
    ]),
  }),
);

const all = (pattern: RegExp, text = page) =>
  [...text.matchAll(pattern)].map(([, one = ""]) => one);

describe("the report as a page", () => {
  it("needs nothing from anywhere, and runs nothing", () => {
    expect(page).not.toMatch(/<(?:script|link|img|iframe|object|embed)|\ssrc=|@import|url\(/);
    expect(all(/href="([^"]*)"/g).filter((href) => !href.startsWith("#"))).toEqual([]);
    expect(page).toContain("default-src &#39;none&#39;".replaceAll("&#39;", "'"));
  });

  it("has every figure, each with a title and a description", () => {
    const figures = all(/<figure id="([^"]+)"/g);
    expect(figures).toEqual([
      "figure-resolved",
      "figure-gains",
      "figure-interaction",
      "figure-losses",
      "figure-flips",
      "figure-cost",
      "figure-phases",
    ]);
    for (const id of figures) {
      expect(page).toContain(
        `role="img" aria-labelledby="${id}-title ${id}-description"><title id="${id}-title">`,
      );
      expect(page).toContain(`<desc id="${id}-description">`);
    }
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  });

  it("has tables with captions, heads of columns and of rows, and what each read", () => {
    const tables = page.split("<table ").slice(1);
    expect(tables.length).toBeGreaterThan(15);
    for (const table of tables) {
      const [caption = ""] = all(/<caption id="[^"]+"><span>([^<]+)</g, table);
      expect(caption).not.toBe("");
      const columns = all(/<th scope="col"[^>]*>([^<]*)</g, table);
      expect(new Set(columns).size, caption).toBe(columns.length);
      for (const row of all(/<tr><th scope="row">(.*?)<\/tr>/g, table)) {
        expect(row.split("<td").length, caption).toBe(columns.length);
      }
      expect(table, caption).toContain('<p class="reads">Read: ');
    }
  });

  it("gives an id once", () => {
    const ids = all(/\sid="([^"]+)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    for (const target of all(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  });

  it("warns of what is open and of a grader that refuses gold patches", () => {
    const [warnings = ""] = all(/<ul class="warnings"[^>]*>(.*?)<\/ul>/g);
    expect(warnings).toMatch(/No verdict for \d+ of 480 planned episodes/);
    expect(warnings).toContain("does not accept the own patch of sympy__sympy-10000");
  });

  it("lists the commands that looked at the future", () => {
    expect(page).toMatch(
      /<td class="n">3<\/td><td>(?:yes|no)<\/td><td>other branches<\/td><td>git log --all</,
    );
  });

  it("shows hostile names as text", () => {
    const name = `"><script>alert(1)</script>\u202e`;
    const hostile = pageFor(
      sourceOf([
        resultOf({ instance: name, arm: "baseline", seed: 1, resolved: false, model: name }),
        resultOf({ instance: name, arm: "full", seed: 1, resolved: true, model: name }),
      ]),
    );
    expect(hostile).not.toContain("<script");
    expect(hostile).toContain("&lt;script&gt;");
    expect(hostile).not.toContain("\u202e");
  });

  it("is made of an experiment of which nothing has run", () => {
    const jobs = results.map(({ job }) => job);
    const empty = pageFor({ ...sourceOf(results), jobs, results: [] });
    expect(empty).toContain("No verdict for 480 of 480 planned episodes");
    expect(empty).not.toMatch(/NaN|undefined|Infinity/);
  });

  it("compares nothing where there is one arm", () => {
    const alone = pageFor(sourceOf(results.filter(({ arm }) => arm === "full")));
    expect(all(/<figure id="([^"]+)"/g, alone)).toEqual([
      "figure-resolved",
      "figure-cost",
      "figure-phases",
    ]);
  });
});

describe.runIf(hasChromium)("the report in a browser", () => {
  it.each<[string, Screen]>([
    ["a desk, light", {}],
    ["a desk, dark", { scheme: "dark" }],
    ["a phone, light", { width: 375, height: 800 }],
    ["a phone, dark", { width: 375, height: 800, scheme: "dark" }],
  ])("fits %s, loads nothing, and has no serious finding of axe-core", async (_, screen) => {
    const { page: window, faults, requests } = await openPage({ ...screen, offline: true });
    await window.setContent(page);
    await window.evaluate(
      "for (const fold of document.querySelectorAll('details')) fold.open = true",
    );
    const width = await window.evaluate("document.documentElement.scrollWidth");
    expect(width).toBe(screen.width ?? 1440);
    await expectAccessible(window);
    expect([faults, requests]).toEqual([[], []]);
  });
});
