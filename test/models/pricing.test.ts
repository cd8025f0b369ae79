import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { costOf, free } from "../../src/domain/model.ts";
import { packageRoot } from "../../src/models/package-root.ts";
import { isLoopback, priceOf, readPrices } from "../../src/models/pricing.ts";

const anthropic = { host: "api.anthropic.com", baseUrl: null };
const openai = { host: "api.openai.com", baseUrl: null };

describe("priceOf", () => {
  it.each([
    ["claude-haiku-4-5", anthropic, { input: 1, cached: 0.1, cacheWritten: 1.25, output: 5 }],
    [
      "claude-haiku-4-5-20251001",
      anthropic,
      { input: 1, cached: 0.1, cacheWritten: 1.25, output: 5 },
    ],
    [
      "claude-3-5-haiku-latest",
      anthropic,
      { input: 0.8, cached: 0.08, cacheWritten: 1, output: 4 },
    ],
    [
      "gpt-4o-mini-2024-07-18",
      openai,
      { input: 0.15, cached: 0.075, cacheWritten: 0.15, output: 0.6 },
    ],
    [
      "deepseek-flash",
      { ...openai, baseUrl: "https://api.deepseek.com/v1" },
      { input: 0.3, cached: 0.006, cacheWritten: 0.3, output: 1.2 },
    ],
  ])("knows %s", (model, where, price) => {
    expect(priceOf(model, where)).toEqual(price);
  });

  it.each([
    ["gpt-4o-audio-preview", openai],
    ["gpt-4o-mini-2024", openai],
    ["claude-haiku-4-5", openai],
    ["claude-haiku-4-5", { ...anthropic, baseUrl: "https://proxy.example/v1" }],
    ["claude-opus-9", anthropic],
    ["", anthropic],
    ["constructor", anthropic],
    ["toString", { ...openai, baseUrl: "https://constructor/v1" }],
  ])("does not guess the price of %s", (model, where) => {
    expect(priceOf(model, where)).toBeNull();
  });

  it.each([
    "http://localhost:11434/v1",
    "http://127.0.0.1:8000",
    "http://127.8.9.10:1/v1",
    "http://[::1]:8080/v1",
  ])("asks nothing for a server on this machine: %s", (baseUrl) => {
    expect(priceOf("claude-haiku-4-5", { ...anthropic, baseUrl })).toEqual(free);
  });

  it.each([
    "http://127.example.com",
    "http://localhost.example.com",
    "http://128.0.0.1",
    "http://[::2]",
    "https://api.openai.com",
  ])("takes %s for another machine", (baseUrl) => {
    expect(isLoopback(baseUrl)).toBe(false);
  });

  it("counts a reply: 1,000 fresh, 2,000 cached, 300 written, 40 out", () => {
    const price = priceOf("claude-sonnet-4-5", anthropic);
    if (price === null) throw new Error("expected a price");
    const usage = { input: 3300, cached: 2000, cacheWritten: 300, output: 40 };
    expect(costOf(usage, price)).toBeCloseTo(0.003 + 0.0006 + 0.001125 + 0.0006, 12);
  });
});

describe("the price list", () => {
  it("is dated, and a cached token never costs more than a fresh one", () => {
    const { as_of, prices } = readPrices();
    expect(as_of).toMatch(/^\d{4}-\d\d-\d\d$/);
    for (const { input, cached, cacheWritten, output } of Object.values(prices).flatMap((models) =>
      Object.values(models),
    )) {
      expect(cached).toBeLessThan(input);
      expect(cacheWritten).toBeGreaterThanOrEqual(input);
      expect(output).toBeGreaterThan(input);
    }
  });
});

describe("packageRoot", () => {
  it("is the folder of package.json, from the sources and from a build below it", () => {
    const root = packageRoot(import.meta.url);
    expect(existsSync(join(root, "assets", "prices.json"))).toBe(true);
    const folder = mkdtempSync(join(tmpdir(), "pmcoder-root-"));
    try {
      mkdirSync(join(folder, "dist", "src", "models"), { recursive: true });
      writeFileSync(join(folder, "package.json"), "{}");
      const built = pathToFileURL(join(folder, "dist", "src", "models", "x.js")).href;
      expect(packageRoot(built)).toBe(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
