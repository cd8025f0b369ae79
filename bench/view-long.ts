import type { Browser } from "playwright-core";
import { RunConfig } from "../src/domain/config/run-config.ts";
import type { ForeignEpisode } from "../src/trajectories/foreign.ts";
import { trajectoryFile, trajectoryLibrary } from "../src/viewer/library.ts";
import { serveViewer } from "../src/viewer/server.ts";
import { assets, hasChromium, launchChromium } from "../test/viewer/chromium.ts";
import { longEpisode } from "../test/viewer/long-episode.ts";
import { type Benchmark, median } from "./figure.ts";

const figure = "view_2000";
const steps = 2000;
const opens = 5;
const most = 2;

/** From asking for the page until its last step is there; server and profile know nothing yet. */
async function secondsToOpen(browser: Browser, episode: ForeignEpisode): Promise<number> {
  const file = trajectoryFile("long.json", () => [episode]);
  const library = trajectoryLibrary([file], RunConfig.parse({}));
  const viewer = await serveViewer({ library, assets });
  const page = await browser.newPage();
  try {
    await page.goto(viewer.urlOf("/"));
    await page.waitForURL((url) => !url.searchParams.has("token"));
    const started = performance.now();
    await page.goto(new URL("/episode/t0-0", page.url()).href);
    await page.locator(`#step-${steps}`).waitFor({ state: "attached" });
    return (performance.now() - started) / 1000;
  } finally {
    await page.close();
    await viewer.close();
  }
}

/** A trajectory of 2,000 steps, opened in Chromium over HTTP. */
export const viewLong: Benchmark = async () => {
  if (!hasChromium) return [{ figure, skipped: "no /usr/bin/chromium" }];
  const episode = longEpisode(steps);
  const browser = await launchChromium();
  const seconds: number[] = [];
  try {
    for (let open = 0; open < opens; open += 1) {
      seconds.push(await secondsToOpen(browser, episode));
    }
  } finally {
    await browser.close();
  }
  const value = median(seconds);
  const rest = { peer: null, ratio: null, goal: `<= ${most} s`, met: value <= most };
  return [{ figure, value, unit: "s", n: opens, ...rest }];
};
