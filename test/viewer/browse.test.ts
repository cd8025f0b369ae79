import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { enter, expectAccessible, keepScreenshot, openPage, type Screen } from "./browser.ts";
import { hasChromium } from "./chromium.ts";
import { otherEpisode, shortEpisode, squareEpisode } from "./pages.ts";
import { libraryOf, served } from "./served.ts";

const library = () =>
  libraryOf({ "square.json": [squareEpisode, shortEpisode], "other.json": [otherEpisode] });

/** A page of a fresh viewer; what goes wrong in it fails the test. */
async function pageAt(path: string, screen: Screen = {}): Promise<Page> {
  const { page, faults } = await openPage(screen);
  watched = faults;
  const viewer = await served(library());
  await enter(page, viewer.urlOf("/"));
  await page.goto(new URL(path, viewer.urlOf("/")).href);
  await page.locator(".episode:not([data-live])").or(page.locator("h1")).first().waitFor();
  return page;
}

let watched: readonly string[] = [];
beforeEach(() => {
  watched = [];
  return () => expect(watched).toEqual([]);
});

const episode = "/episode/t0-0";
const currentStep = (page: Page) => page.locator(".stop.current").getAttribute("data-step");

describe.runIf(hasChromium)("the list", () => {
  it("is narrowed by status, arm and words, without a script too", async () => {
    const page = await pageAt("/");
    const titles = () => page.locator(".runs").first().locator("tbody a").allTextContents();
    expect(await titles()).toEqual(["shapes__area-7", "shapes__area-7", "shapes__circle-3"]);
    await page.getByLabel("Status").selectOption("LimitsExceeded");
    await page.getByRole("button", { name: "Filter" }).click();
    expect(await titles()).toEqual(["shapes__circle-3"]);
    await page.goto(new URL("/?text=AREA+openhands", page.url()).href);
    expect(await titles()).toEqual(["shapes__area-7"]);
  });

  it("leads to an episode, and two ticked ones to a comparison", async () => {
    const page = await pageAt("/");
    await page.getByLabel("Compare shapes__area-7").first().check();
    await page.getByLabel("Compare shapes__area-7").nth(1).check();
    await page.getByRole("button", { name: "Compare the two that are ticked" }).click();
    expect(new URL(page.url()).search).toBe("?with=t0-0&with=t0-1");
    await page.getByRole("link", { name: "Left" }).click();
    expect(new URL(page.url()).pathname).toBe(episode);
  });

  it("has the filter under the key /", async () => {
    const page = await pageAt("/");
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.name")).toBe("text");
  });
});

describe.runIf(hasChromium)("an episode", () => {
  it("answers when it first edited, when it got stuck and why, and what was recalled then", async () => {
    const page = await pageAt(episode);
    const moments = await page.locator("#moments li").allInnerTexts();
    expect(moments).toContainEqual(
      expect.stringMatching(/^step 4\s+First edit of source shapes\/area\.py/),
    );
    expect(moments).toContainEqual(
      expect.stringMatching(
        /^step \d+\s+Stuck: the plan turns back 15 reads without a passing test\s+recalled .*area\.py/,
      ),
    );
  });

  it("is walked through by keys, and the state follows", async () => {
    const page = await pageAt(episode);
    for (const key of ["j", "j", "j", "k"]) await page.keyboard.press(key);
    expect(await currentStep(page)).toBe("2");
    expect(await page.locator("#at").textContent()).toBe("2");
    expect(new URL(page.url()).hash).toBe("#step-2");
    expect(await page.locator("#chart .lit[data-state]").getAttribute("data-state")).toBe(
      "explore",
    );
    await page.keyboard.press("Shift+G");
    expect(await currentStep(page)).toBe("23");
    expect(await page.locator("#chart .lit[data-state]").getAttribute("data-state")).toBe("verify");
    expect(await page.locator('#ladder [data-item="p4"]').getAttribute("data-status")).toBe(
      "failed",
    );
    await page.keyboard.press("g");
    expect(await currentStep(page)).toBe("1");
    expect(await page.locator('#ladder [data-item="p4"]').getAttribute("data-status")).toBe("open");
  });

  it("counts towards stuck up to the step that one stands at", async () => {
    const page = await pageAt(`${episode}#step-11`);
    const reads = page.locator('[data-signal="readSaturation"]');
    const before = Number(await reads.locator("output").textContent());
    await page.keyboard.press("j");
    expect(Number(await reads.locator("output").textContent())).toBe(before + 1);
  });

  it("opens at the step that the address names", async () => {
    const page = await pageAt(`${episode}#step-12`);
    expect(await currentStep(page)).toBe("12");
    const top = (await page.locator("#step-12").boundingBox())?.y;
    expect(top).toBeGreaterThan(60);
    expect(top).toBeLessThan(300);
  });

  it("goes to the episode after and before with l and h", async () => {
    const page = await pageAt(episode);
    await page.keyboard.press("l");
    await page.waitForURL("**/episode/t0-1");
    await page.keyboard.press("h");
    await page.waitForURL(`**${episode}`);
  });

  it("is searched, hit by hit, inside what is folded away too", async () => {
    const page = await pageAt(episode);
    await page.keyboard.press("/");
    await page.keyboard.type("TIMES ITSELF");
    await page.keyboard.press("Enter");
    await page.getByText("1 of 1", { exact: true }).waitFor();
    expect(await currentStep(page)).toBe("21");
    await page.locator("#search input").fill("side + side");
    await page.keyboard.press("Enter");
    expect(await page.locator("#hits").textContent()).toMatch(/^1 of \d+$/);
    expect(await page.locator("#step-2 details.fold").first().getAttribute("open")).not.toBeNull();
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    expect(await currentStep(page)).toBe("3");
  });

  it("says why each message was recalled, once that is asked for", async () => {
    const page = await pageAt(`${episode}#step-20`);
    const recall = page.locator("#step-20 .recall");
    expect(await recall.locator("table").count()).toBe(0);
    await recall.locator("summary").click();
    await recall.locator("table").waitFor();
    expect(await recall.locator("thead th").allTextContents()).toEqual([
      "message",
      "lexical",
      "graph",
      "redundancy",
      "gain",
      "rank",
      "tokens",
    ]);
    const cells = await recall.locator("tbody tr").first().locator("td").allTextContents();
    expect(cells).toHaveLength(6);
    expect(cells.every((cell) => /^-?\d*\.?\d+$/.test(cell))).toBe(true);
  });

  it("leads to a step by a click into the band", async () => {
    const page = await pageAt(episode);
    const box = await page.locator(".band svg").boundingBox();
    if (box === null) throw new Error("no band");
    await page.mouse.click(box.x + box.width * (9.5 / 23), box.y + 5);
    expect(await currentStep(page)).toBe("10");
  });

  it("leaves keys alone where one types, with a modifier, and once they are off", async () => {
    const page = await pageAt(episode);
    await page.keyboard.press("Control+j");
    await page.locator("#search input").focus();
    await page.keyboard.press("j");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.getByLabel("single keys are on").uncheck();
    await page.getByRole("button", { name: "Close" }).click();
    await page.keyboard.press("j");
    expect(await page.locator(".stop.current").count()).toBe(0);
  });
});

describe.runIf(hasChromium)("two episodes side by side", () => {
  it("start where they part; d leads there, j goes on", async () => {
    const page = await pageAt(episode);
    await page.keyboard.press("d");
    await page.getByRole("link", { name: "shapes__area-7" }).click();
    expect(await page.locator("#parting").textContent()).toBe("They part at step 3");
    await page.keyboard.press("d");
    expect(await page.locator("#step-3").isVisible()).toBe(true);
    expect(await page.locator("#step-1 article").first().isVisible()).toBe(false);
    await page.keyboard.press("j");
    expect(await currentStep(page)).toBe("1");
    expect(await page.locator("#step-1 article").first().isVisible()).toBe(true);
  });
});

const phone = { width: 390, height: 844 };
const both = "/compare?with=t0-0&with=t0-1";

describe.runIf(hasChromium)("each page", () => {
  it.each<[string, string, Screen]>([
    ["episodes", "/", {}],
    ["episode", `${episode}#step-19`, {}],
    ["episode-dark", `${episode}#step-4`, { scheme: "dark" }],
    ["comparison-phone-dark", both, { ...phone, scheme: "dark" }],
    ["choice", "/compare?with=t0-0", {}],
  ])("has no serious finding of axe-core: %s", async (name, path, screen) => {
    const page = await pageAt(path, screen);
    await keepScreenshot(page, name);
    await page.evaluate(
      "for (const fold of document.querySelectorAll('details')) fold.open = true",
    );
    await page.waitForTimeout(100);
    await expectAccessible(page);
  });

  it.each<[string, string, Screen]>([
    ["episodes-phone", "/", phone],
    ["episode-phone", episode, phone],
    ["episode-phone-step", `${episode}#step-17`, { ...phone, scheme: "dark" }],
    ["comparison", both, {}],
    ["comparison-phone", both, phone],
  ])("fits its screen: %s", async (name, path, screen) => {
    const page = await pageAt(path, screen);
    await keepScreenshot(page, name);
    const width = await page.evaluate("document.documentElement.scrollWidth");
    expect(width).toBe(screen.width ?? 1440);
  });
});
