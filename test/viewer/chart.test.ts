import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { phases } from "../../src/domain/phase.ts";
import { chartOf } from "../../src/viewer/chart.ts";
import { chartHtml } from "../../src/viewer/chart-html.ts";

describe("the statechart of a page", () => {
  const chart = chartOf();

  it("has the states of the planner's chart, with those inside them", () => {
    expect(chart.initial).toBe("explore");
    expect(chart.states.map(({ id }) => id)).toEqual([...phases, "backtrack"]);
    expect(chart.states.filter(({ inner }) => inner.length > 0)).toEqual([
      { id: "verify", inner: ["unproven", "proven"] },
    ]);
  });

  it("has the arrows of its drawing, each pair of states once", () => {
    const drawing = readFileSync("statecharts/phase.mmd", "utf8");
    const drawn = [...drawing.matchAll(/^ {2}(\w+) --> (\w+) :/gm)].map(
      ([, from, to]) => `${from} ${to}`,
    );
    const between = drawn.filter((arrow) => new Set(arrow.split(" ")).size === 2);
    const arrows = chart.arrows.map(({ from, to }) => `${from ?? "any"} ${to}`);
    expect(arrows.toSorted()).toEqual([...new Set(between)].toSorted());
    expect(chart.arrows.find(({ from }) => from === null)?.labels).toEqual([
      "STUCK [canBacktrack]",
    ]);
  });

  it("lights the live state, and what leads out of it", () => {
    const { text } = chartHtml("verify", "proven");
    expect(text.match(/class="state \w+ lit"/g)).toEqual(['class="state verify lit"']);
    expect(text).toMatch(/class="inner lit" data-inner="proven"/);
    expect(text.match(/class="arrow lit" data-from="\w+"/g)).toEqual(
      new Array(3).fill('class="arrow lit" data-from="verify"'),
    );
    expect(chartHtml(null, null).text).not.toContain("lit");
  });
});
