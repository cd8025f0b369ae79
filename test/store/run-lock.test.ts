import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRunLocks } from "../../src/store/run-lock.ts";
import { describeRunLocks } from "../contracts/run-locks.ts";
import { canMount, mountSmallDisk } from "./small-disk.ts";

const clock = { now: () => Date.UTC(2026, 10, 30, 14, 25, 1, 999) };

const waitMs = 20;

describeRunLocks("SQLite", () => {
  const home = mkdtempSync(join(tmpdir(), "pmcoder-locks-"));
  const folder = join(home, "not", "there", "yet");
  return {
    locks: openRunLocks(folder, clock, waitMs),
    others: openRunLocks(folder, clock, waitMs),
    close: () => rmSync(home, { recursive: true, force: true }),
  };
});

let folder: string;
let children: ChildProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pmcoder-locks-"));
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** A process that takes and drops runs when told to, one answer a word. */
function worker() {
  const script = fileURLToPath(new URL("./lock-worker.ts", import.meta.url));
  const child = spawn(process.execPath, ["--expose-gc", "--import", "tsx", script, folder], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid,
    ask: async (...words: readonly (string | number)[]): Promise<string> => {
      child.stdin.write(`${words.join(" ")}\n`);
      return (await lines.next()).value;
    },
    die: async () => {
      child.kill("SIGKILL");
      await once(child, "close");
    },
  };
}

type Worker = ReturnType<typeof worker>;

/** Both ask at the same moment; how many got it, and what the others were told. */
async function race(run: string, workers: readonly Worker[]) {
  const at = Date.now() + 40;
  const answers = await Promise.all(workers.map(({ ask }) => ask("take", run, at)));
  const winner = workers[answers.indexOf("took")];
  return {
    winner,
    took: answers.filter((answer) => answer === "took").length,
    refusals: answers.filter((answer) => answer !== "took"),
  };
}

const locks = () => openRunLocks(folder, clock, waitMs);

describe("a run that another process works on", () => {
  it("is refused by name, and free when that process lets it go", async () => {
    const holder = worker();
    expect(await holder.ask("take", "r1")).toBe("took");
    const refusal = locks().acquire("r1");
    await expect(refusal).rejects.toMatchObject({ code: "usage" });
    await expect(refusal).rejects.toThrow(
      new RegExp(
        `^Process ${holder.pid} on ${hostname()} works on run r1 since \\d{4}-\\d\\d-\\d\\dT[\\d:]{8}Z. Wait until it has ended, or end it: kill ${holder.pid}$`,
      ),
    );
    expect(await locks().isHeld("r1")).toBe(true);
    expect(await holder.ask("drop")).toBe("dropped");
    expect(await locks().isHeld("r1")).toBe(false);
    expect(readdirSync(folder)).toEqual(["r1.lock"]);
    await (await locks().acquire("r1")).release();
  });

  it("stays held when nobody keeps the lock as a value", async () => {
    const holder = worker();
    await holder.ask("take", "r1");
    expect(await holder.ask("forget")).toBe("forgot");
    expect(await locks().isHeld("r1")).toBe(true);
  });

  it("is free at once when that process is killed, though its children live on", async () => {
    const holder = worker();
    await holder.ask("take", "r1");
    const child = Number(await holder.ask("child"));
    await holder.die();
    try {
      const lock = await locks().acquire("r1");
      expect(JSON.parse(readFileSync(join(folder, "r1.json"), "utf8"))).toEqual({
        pid: process.pid,
        host: hostname(),
        since: clock.now(),
      });
      await lock.release();
    } finally {
      process.kill(child, "SIGKILL");
    }
  });

  it("is free though the pid that a dead owner left belongs to another process now", async () => {
    const unrelated = spawn("sleep", ["600"]);
    children.push(unrelated);
    writeFileSync(join(folder, "r1.lock"), "");
    writeFileSync(
      join(folder, "r1.json"),
      JSON.stringify({ pid: unrelated.pid, host: hostname(), since: 0 }),
    );
    expect(await locks().isHeld("r1")).toBe(false);
    await (await locks().acquire("r1")).release();
  });
});

describe("two processes at the same moment", () => {
  it("are told apart 20 times: one works, the other is told which", async () => {
    const both = [worker(), worker()];
    for (let round = 0; round < 20; round += 1) {
      const { took, refusals, winner } = await race(`r${round}`, both);
      expect({ round, took }).toEqual({ round, took: 1 });
      expect(refusals).toEqual([expect.stringMatching(`^Process ${winner?.pid} on .* r${round} `)]);
      await winner?.ask("drop");
    }
  });

  it("find a lock that a killed one left, and one of them takes it over", async () => {
    const both = [worker(), worker()];
    for (const run of ["r1", "r2", "r3"]) {
      const dead = worker();
      expect(await dead.ask("take", run)).toBe("took");
      await dead.die();
      expect(statSync(join(folder, `${run}.json`)).size).toBeGreaterThan(0);
      const { took, refusals, winner } = await race(run, both);
      expect({ run, took }).toEqual({ run, took: 1 });
      expect(refusals).toEqual([expect.stringMatching(`^Process ${winner?.pid} on `)]);
      await winner?.ask("drop");
    }
  });
});

describe("a lock that cannot be taken", () => {
  it.each([
    ["is empty", ""],
    ["is no JSON", '{"pid": 1'],
    ["has no pid", '{"host":"h","since":0}'],
    ["has a time beyond all calendars", '{"pid":1,"host":"h","since":9e99}'],
  ])("is refused without a name when its owner's word %s", async (_name, word) => {
    const lock = await locks().acquire("r1");
    writeFileSync(join(folder, "r1.json"), word);
    await expect(locks().acquire("r1")).rejects.toThrow(
      "Another process works on run r1. Wait until it has ended, or end it.",
    );
    await lock.release();
  });

  it("says on which machine its owner is", async () => {
    const lock = await locks().acquire("r1");
    writeFileSync(join(folder, "r1.json"), '{"pid":7,"host":"elsewhere","since":0}');
    await expect(locks().acquire("r1")).rejects.toThrow(
      "Process 7 on elsewhere works on run r1 since 1970-01-01T00:00:00Z. Wait until it has ended, or end it: kill 7, on elsewhere",
    );
    await lock.release();
  });

  it("says what is wrong with its file", async () => {
    writeFileSync(join(folder, "r1.lock"), "no database".repeat(100));
    await expect(locks().acquire("r1")).rejects.toMatchObject({
      code: "storage",
      message: expect.stringMatching(/^Cannot lock .*r1\.lock: it is damaged, or no database/),
    });
    mkdirSync(join(folder, "r2.lock"));
    await expect(locks().acquire("r2")).rejects.toThrow(/^Cannot lock .*r2\.lock: /);
  });

  it("never leaves its folder, whatever the run is called", async () => {
    for (const run of ["../../up", "a/b", "", "..", "é"]) {
      const lock = await locks().acquire(run);
      expect(await locks().isHeld(run)).toBe(true);
      await lock.release();
    }
    expect(readdirSync(folder)).toHaveLength(5);
  });
});

describe.runIf(canMount)("on a read-only disk", () => {
  it("nothing is locked, and it is said so", async () => {
    const disk = mountSmallDisk(64);
    if (disk === null) throw new Error("no disk could be mounted");
    try {
      const there = openRunLocks(join(disk.folder, "locks"), clock);
      await (await there.acquire("r1")).release();
      disk.protect();
      for (const run of ["r1", "r2"]) {
        await expect(there.acquire(run)).rejects.toMatchObject({
          code: "storage",
          message: expect.stringMatching(
            /^Cannot lock .*: it (may not be written|cannot be opened)/,
          ),
        });
      }
    } finally {
      disk.remove();
    }
  });
});
