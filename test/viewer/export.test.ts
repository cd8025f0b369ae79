import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { exportedComparison, exportedEpisode } from "../../src/viewer/export.ts";
import type { Told } from "../eval/episodes.ts";
import { assets } from "./chromium.ts";
import { viewOf } from "./recordings.ts";

/** Steps that print as much as a harness keeps, each about another file. */
function longEpisode(steps: number): readonly Told[] {
  return Array.from({ length: steps }, (_, n) => ({
    commands: [`cat src/module_${n % 40}.py`],
    thought: `I look at module ${n} because the issue names it. `.repeat(8),
    output: `def function_${n}(argument): return argument + ${n}\n`.repeat(200),
  }));
}

describe("an exported page", () => {
  it("runs its own script and takes its own style alone", () => {
    const page = exportedEpisode(viewOf(["ls"]), assets);
    const [, policy = ""] =
      /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page) ?? [];
    const hashOf = (tag: string) => {
      const [, text = ""] = new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`).exec(page) ?? [];
      return `sha256-${createHash("sha256").update(text).digest("base64")}`;
    };
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      `script-src '${hashOf("script")}'`,
      `style-src '${hashOf("style")}'`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  it("names nothing outside itself", () => {
    const page = exportedComparison(viewOf(["ls"]), viewOf(["pwd"]), assets);
    expect(page.match(/(?:src|href|action)="[^#"][^"]*"/g)).toBeNull();
  });

  it("of 250 long steps stays under 2 MB and says what is left out", { timeout: 120_000 }, () => {
    const page = exportedEpisode(viewOf(longEpisode(250)), assets);
    expect(Buffer.byteLength(page)).toBeLessThan(2_000_000);
    expect(page.match(/<article/g)).toHaveLength(250);
    expect(page).toMatch(/\d+ characters are left out of this page/);
  });
});
