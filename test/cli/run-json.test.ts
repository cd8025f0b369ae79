import { describe, expect, it } from "vitest";
import { startPmcoder } from "./run-process.ts";
import {
  copiesOf,
  eventsOf,
  fix,
  issue,
  onlyRun,
  pmcoder,
  replayOf,
  runIssue,
  submit,
  summaryIn,
  world,
} from "./run-world.ts";

const parsed = (text: string) =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => JSON.parse(line));

describe("pmcoder run --json", () => {
  it("prints every event as a line, then the summary, and nothing else", async () => {
    const at = world();
    const { code, out } = await runIssue(at, replayOf(at, fix, submit), "--json");
    expect(code).toBe(0);
    const lines = parsed(out);
    const folder = onlyRun(at);
    expect(lines.pop()).toEqual(summaryIn(folder));
    const { run } = summaryIn(folder);
    for (const [seq, line] of lines.entries()) {
      expect(line).toMatchObject({ type: expect.any(String), run, seq });
    }
    expect(lines).toEqual(JSON.parse(JSON.stringify(await eventsOf(folder))));
    expect(lines[0]).toMatchObject({ type: "begin", task: issue, output: folder });
    expect(lines.at(-1)).toMatchObject({ type: "end", status: "submitted" });
  });

  it("leaves standard output empty when the run is refused", async () => {
    const at = world();
    const ran = await pmcoder(at, ["run", "", "--model", replayOf(at, submit), "--json"]);
    expect(ran).toEqual({
      code: 2,
      out: "",
      err: "pmcoder: The issue is empty. Describe what is wrong.\n",
    });
  });

  it("ends well although nobody reads its output any more", async () => {
    const at = world();
    const args = ["run", issue, "--model", replayOf(at, fix, submit), "--yes", "--json"];
    const head = (line: readonly string[]) => [
      "bash",
      "-c",
      '"$@" | head -n 1; exit $PIPESTATUS',
      "bash",
      ...line,
    ];
    const { ended, out, err } = startPmcoder(at, args, { under: head });
    expect(await ended).toBe(0);
    expect(err()).toBe("");
    expect(parsed(out())).toMatchObject([{ type: "begin" }]);
    expect(summaryIn(onlyRun(at))).toMatchObject({ exit_status: "submitted", exit_code: 0 });
    expect(copiesOf(at)).toEqual([]);
  });
});
