import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import type { Assets } from "../../src/viewer/export.ts";
import { capable } from "../capabilities.ts";

const read = (name: string) => readFileSync(join("assets", "viewer", name), "utf8");

/** Style and script as they travel with the package. */
export const assets: Assets = {
  style: `${read("base.css")}\n${read("episode.css")}`,
  script: read("viewer.js"),
};

/** Debian's. */
const executablePath = "/usr/bin/chromium";

/** Whether tests that need a browser run. */
export const hasChromium = capable("chromium", () => existsSync(executablePath));

/** Chromium's own sandbox cannot be set up by root, as tests in a container run. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}
