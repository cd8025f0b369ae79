import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { capable } from "../capabilities.ts";
import { startPmcoder, until } from "./run-process.ts";
import { copiesOf, fix, issue, onlyRun, replayOf, submit, summaryIn, world } from "./run-world.ts";

/** `script` of util-linux gives a program a terminal, typed into through a pipe. */
const hasScript = capable("script", () =>
  /util-linux/.test(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? ""),
);

const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
const onTerminal = (line: readonly string[]) => [
  ...["script", "-qefc", line.map(quote).join(" "), "/dev/null"],
];

function startAtTerminal() {
  const at = world();
  const model = replayOf(at, fix, "echo never >> answer.py", submit);
  const args = ["run", issue, "--model", model, "--environment", "local"];
  const running = startPmcoder(at, args, { under: onTerminal });
  let asked = 0;
  /** Answers the next question. */
  const answer = async (keys: string) => {
    await until(() => running.out().split("[N]o: ").length > asked + 1, running);
    asked += 1;
    running.child.stdin?.write(keys);
  };
  return { at, answer, ...running };
}

describe.runIf(hasScript)("pmcoder run --environment local at a terminal", () => {
  it("asks before each command, and runs what it may", async () => {
    const { at, answer, ended, out } = startAtTerminal();
    await answer("y\n");
    await answer("n\n");
    await answer("yes\n");
    expect(await ended).toBe(0);
    expect(out()).toContain(
      "Run in your own system, without a sandbox?\r\n    sed -i s/41/42/ answer.py\r\n",
    );
    const { patch, steps } = summaryIn(onlyRun(at));
    expect({ steps, files: patch?.files }).toEqual({ steps: 3, files: ["answer.py"] });
    expect(out()).toContain("exit 126");
  });

  it("ends with the patch so far at Ctrl-C", async () => {
    const { at, answer, ended } = startAtTerminal();
    await answer("y\n");
    await answer("\u0003");
    expect(await ended).toBe(130);
    expect(summaryIn(onlyRun(at))).toMatchObject({
      exit_status: "interrupted",
      exit_code: 130,
      patch: { files: ["answer.py"] },
    });
    expect(copiesOf(at)).toHaveLength(1);
  });
});
