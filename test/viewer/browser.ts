import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, expect, onTestFinished } from "vitest";
import { launchChromium } from "./chromium.ts";

let started: Promise<Browser> | null = null;

/** One browser for a file's tests. */
function browser(): Promise<Browser> {
  if (started === null) started = launchChromium();
  return started;
}

afterAll(async () => (await started)?.close());

export interface Screen {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: "light" | "dark";
  readonly offline?: boolean;
}

export interface Watched {
  readonly page: Page;
  /** What went wrong in the page: errors, refused loads, what its policy blocked. */
  readonly faults: readonly string[];
  /** Addresses that it asked for. */
  readonly requests: readonly string[];
}

/** A fresh page in a profile of its own, closed when the test ends. */
export async function openPage(screen: Screen = {}): Promise<Watched> {
  const { width = 1440, height = 900, scheme = "light", offline = false } = screen;
  const context = await (await browser()).newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: "reduce",
    offline,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  const requests: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("request", (request) => requests.push(request.url()));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => {});
  });
  return { page, faults, requests };
}

/** Enters a viewer by the address with its token. */
export async function enter(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForURL((url) => !url.searchParams.has("token"));
}

/** Fails on what axe-core finds serious or critical on the page. */
export async function expectAccessible(page: Page): Promise<void> {
  // The page's policy forbids added scripts, but not what the browser's owner evaluates.
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate("axe.run()")) as { violations: readonly Finding[] };
  const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Keeps a picture of the page among the build's artefacts. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(join("artifacts", "viewer"), { recursive: true });
  await page.screenshot({ path: join("artifacts", "viewer", `${name}.png`) });
}
