import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { advanceAll, episodeView } from "../../src/viewer/episode-view.ts";
import { exportedEpisode } from "../../src/viewer/export.ts";
import { foreignRecording } from "../../src/viewer/foreign-recording.ts";
import { enter, openPage } from "./browser.ts";
import { assets, hasChromium } from "./chromium.ts";
import { longEpisode } from "./long-episode.ts";
import { squareEpisode } from "./pages.ts";
import { fullConfig } from "./recordings.ts";
import { libraryOf, served } from "./served.ts";

describe.runIf(hasChromium)("a trajectory of 2,000 steps", () => {
  it("opens at once and scrolls, while plan and memory catch up", {
    timeout: 180_000,
  }, async () => {
    const viewer = await served(libraryOf({ "long.json": [longEpisode(2000)] }));
    const { page, faults } = await openPage();
    await enter(page, viewer.urlOf("/"));
    const before = performance.now();
    await page.goto(new URL("/episode/t0-0", viewer.urlOf("/")).href);
    await page.locator("#step-2000").waitFor({ state: "attached" });
    const opened = performance.now() - before;
    await page.keyboard.press("Shift+G");
    await page.locator("#step-2000.current").waitFor();
    await page.locator("#step-2000 .output").first().waitFor({ state: "visible" });
    const scrolled = performance.now() - before - opened;
    process.stderr.write(
      `2,000 steps: opened in ${Math.round(opened)} ms, at the last step after ${Math.round(scrolled)} ms\n`,
    );
    // The benchmark view_2000 measures; the bounds only catch another order of growth.
    expect(opened).toBeLessThan(8000);
    expect(scrolled).toBeLessThan(4000);

    await page.getByText(/Plan and memory are at step \d+ of 2000/).waitFor();
    const known = () => page.locator(".marks[data-phase]").count();
    const first = await known();
    await expect.poll(known, { timeout: 30_000 }).toBeGreaterThan(first);
    expect(faults).toEqual([]);
  });
});

describe.runIf(hasChromium)("an exported episode", () => {
  it("opens from the disk without a network, with keys, search and reasons", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pmcoder-export-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "episode.html");
    const recording = foreignRecording(squareEpisode, fullConfig);
    const view = episodeView(recording, advanceAll(recording));
    writeFileSync(file, exportedEpisode(view, assets));

    const { page, faults, requests } = await openPage({ offline: true });
    await page.goto(`file://${file}#step-4`);
    expect(await page.locator(".stop.current").getAttribute("data-step")).toBe("4");
    await page.keyboard.press("j");
    expect(await page.locator("#at").textContent()).toBe("5");
    await page.keyboard.press("/");
    await page.keyboard.type("times itself");
    await page.keyboard.press("Enter");
    expect(await page.locator(".stop.current").getAttribute("data-step")).toBe("21");
    await page.locator("#step-21 .recall summary").click();
    await page.locator("#step-21 .recall table").waitFor();
    const font = await page.evaluate("getComputedStyle(document.querySelector('pre')).whiteSpace");
    expect(font).toBe("pre-wrap");
    expect(requests).toEqual([`file://${file}`]);
    expect(faults).toEqual([]);
  });
});
