import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startPmcoder, until } from "./run-process.ts";
import {
  copiesOf,
  fix,
  issue,
  namesIn,
  onlyRun,
  replayOf,
  submit,
  summaryIn,
  world,
} from "./run-world.ts";

describe("a run that two processes take up at once", () => {
  it("goes on in one of them; the other is told which, and touches nothing", async () => {
    const at = world();
    const go = join(at.folder, "go");
    const wait = `until [ -e '${go}' ]; do sleep 0.1; done`;
    const model = replayOf(at, "echo begun > mark; sleep 300", wait, fix, "rm -f mark", submit);
    const args = ["run", issue, "--model", model, "--environment", "local", "--yes"];
    const first = startPmcoder(at, args);
    const [work, mark] = [join(at.home, ".cache", "pmcoder", "work"), "mark"];
    const begun = () => namesIn(join(work, copiesOf(at)[0] ?? "", "project")).includes(mark);
    await until(begun, first);
    first.child.kill("SIGKILL");
    await first.ended;

    const both = [1, 2].map(() => startPmcoder(at, ["resume", "last", "--yes"]));
    const codes = both.map(({ ended }) => ended);
    const quicker = await Promise.race(codes.map(async (code, n) => ({ n, code: await code })));
    const [refused, working] = quicker.n === 0 ? both : both.toReversed();
    expect(quicker.code).toBe(2);
    const { run } = summaryIn(onlyRun(at));
    expect(refused?.err()).toMatch(
      new RegExp(
        `^pmcoder: Process ${working?.child.pid} on \\S+ works on run ${run} since \\S+ Wait until it has ended, or end it: kill ${working?.child.pid}\n$`,
      ),
    );
    writeFileSync(go, "");
    expect(await working?.ended).toBe(0);
    expect(summaryIn(onlyRun(at))).toMatchObject({
      run,
      exit_status: "submitted",
      patch: { files: ["answer.py"] },
    });
  });
});
