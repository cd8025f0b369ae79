import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  fix,
  issue,
  onlyRun,
  pmcoder,
  put,
  replayOf,
  runIssue,
  submit,
  summaryIn,
  world,
} from "./run-world.ts";

/** What a browser without a cookie gets at an address, asked for once it was printed. */
function visitor() {
  let visit: Promise<{ url: string; status: number }> | null = null;
  const watch = (text: string) => {
    const [url] = /http:\/\/127\.0\.0\.1\S+/.exec(text) ?? [];
    if (url) visit ??= fetch(url).then(({ status }) => ({ url, status }));
  };
  return { watch, visited: () => visit };
}

describe("pmcoder run --view", () => {
  it.each([{ flags: [] }, { flags: ["--json"] }])(
    "serves the page while the run goes on, with $flags",
    async ({ flags }) => {
      const at = world();
      const { watch, visited } = visitor();
      const args = ["run", "--model", replayOf(at, "sleep 0.5", fix, submit), "--yes", "--view"];
      const { code, out, err } = await pmcoder(at, [...args, issue, ...flags], {
        watch,
      });
      expect(code).toBe(0);
      const { url = "", status } = (await visited()) ?? {};
      expect(status).toBe(200);
      const { run } = summaryIn(onlyRun(at));
      expect(url).toContain(`/episode/${run}?token=`);
      expect(out).not.toContain("http:");
      expect(err).toContain(`To see it again: pmcoder view ${run}\n`);
      await expect(fetch(url)).rejects.toThrow();
    },
  );

  it("serves it for a run that is taken up, whatever folder it is in", async () => {
    const at = world();
    const [output, state] = [join(at.folder, "out"), join(at.folder, "state")];
    const where = ["--output", output, "--state", state];
    await runIssue(at, replayOf(at, fix, submit), "--step-limit", "1", ...where);
    const { watch, visited } = visitor();
    const args = ["resume", output, "--yes", "--step-limit", "5", "--view"];
    const { code } = await pmcoder(at, args, { watch });
    expect(code).toBe(0);
    expect(await visited()).toMatchObject({ status: 200 });
  });

  it("needs no page where the run does not begin", async () => {
    const at = world();
    const repo = put(at, "empty/file", "");
    const { code, err } = await runIssue(at, replayOf(at, submit), "--view", "--repo", repo);
    expect(code).toBe(2);
    expect(err).not.toContain("http:");
    expect(existsSync(join(at.repo, ".pmcoder", "runs"))).toBe(false);
  });
});
