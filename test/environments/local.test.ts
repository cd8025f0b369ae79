import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openLocal } from "../../src/environments/local.ts";
import { living, textOf } from "../contracts/command.ts";
import { environmentContract } from "../contracts/environment.ts";
import { hostPlaces } from "./host-places.ts";

const places = hostPlaces("local");
afterAll(places.remove);
environmentContract("local", places);

const limit = { timeoutSec: 10 };

/** A folder of links to these programs, as the only PATH: a machine that has nothing else. */
function machineWith(folder: string, programs: readonly string[]): string {
  mkdirSync(folder);
  for (const program of programs) {
    const found = (process.env["PATH"] ?? "")
      .split(delimiter)
      .map((directory) => join(directory, program))
      .find(existsSync);
    if (found) symlinkSync(found, join(folder, program));
  }
  return folder;
}

describe("the local environment", () => {
  it("keeps one output file a command, and numbers on in a folder that has some", async () => {
    const options = { ...places.place(), env: process.env };
    for (const word of ["one", "two"]) {
      const environment = await openLocal(options);
      await environment.execute(`echo ${word}`, limit);
      await environment.close();
    }
    expect(readdirSync(options.spool)).toEqual(["0001.log", "0002.log"]);
    expect(readFileSync(join(options.spool, "0002.log"), "utf8")).toBe("two\n");
  });

  it("keeps no output of an errand, whose long outputs and files can be read at once", async () => {
    const options = { ...places.place(), env: process.env };
    const environment = await openLocal(options);
    await environment.execute("echo one", limit);
    const errand = await environment.execute("seq 100000 | tee f", { ...limit, errand: true });
    expect(await environment.read(errand.output.file)).toEqual(await environment.read("f"));
    await environment.execute("echo two", limit);
    await environment.close();
    expect(readdirSync(options.spool)).toEqual(["0001.log", "0002.log"]);
  });

  it("removes the copy once, after the last process", async () => {
    const calls: string[][] = [];
    const removeCopy = async () => void calls.push(living("sleep 37.5"));
    const environment = await openLocal({ ...places.place(), env: process.env, removeCopy });
    await environment.execute("sleep 37.5 &", limit);
    await Promise.all([environment.close(), environment.close()]);
    expect(calls).toEqual([[]]);
  });

  it("is lost at once when its supervisor is killed from outside, and cleans up at close", async () => {
    const environment = await openLocal({ ...places.place(), env: process.env });
    await environment.execute("sleep 38.5 &", limit);
    const running = environment.execute("sleep 38.5", limit);
    const supervisor = execFileSync("pgrep", ["-P", String(process.pid), "-x", "sh"], {
      encoding: "utf8",
    });
    process.kill(-Number(supervisor.trim().split("\n").at(-1)), "SIGKILL");
    await expect(running).rejects.toThrow("sh ended with SIGKILL");
    await environment.close();
    await expect.poll(() => living("sleep 38.5")).toEqual([]);
  });

  it("ends what background processes print without end", async () => {
    const options = places.place({ maxOutputBytes: 100_000 });
    const environment = await openLocal({ ...options, env: process.env });
    const result = await environment.execute("yes 39.5 &", limit);
    expect([result.exitCode, result.background]).toEqual([0, true]);
    await expect.poll(() => living("yes 39.5"), { timeout: 9000 }).toEqual([]);
    await environment.close();
  });

  it("runs BASH_ENV for commands, and for nothing else", async () => {
    const options = places.place();
    const BASH_ENV = `${options.copy}.env`;
    writeFileSync(BASH_ENV, "echo activated; export ACTIVE=yes");
    const environment = await openLocal({ ...options, env: { ...process.env, BASH_ENV } });
    expect(textOf(await environment.execute("echo $ACTIVE", limit))).toBe("activated\nyes\n");
    await environment.close();
  });

  it("works where there is no bash", async () => {
    const options = places.place();
    const PATH = machineWith(`${options.copy}.bin`, "sh setsid sleep cat grep rm mkdir".split(" "));
    const environment = await openLocal({ ...options, env: { PATH } });
    const outcome = async (command: string, timeoutSec: number) => {
      const { exitCode, timedOut, background, ...rest } = await environment.execute(command, {
        timeoutSec,
      });
      return [exitCode, timedOut, background, textOf({ ...rest, exitCode, timedOut, background })];
    };
    expect(await outcome("echo $0; exit 3", 5)).toEqual([3, false, false, "sh\n"]);
    expect(await outcome("kill -9 0", 5)).toEqual([137, false, false, ""]);
    expect(await outcome("sleep 40.5 & echo on", 5)).toEqual([0, false, true, "on\n"]);
    expect(await outcome("sleep 40.5 | cat", 0.5)).toEqual([124, true, false, ""]);
    expect(await outcome(`: ${"é".repeat(90_000)}; echo long`, 5)).toEqual([
      0,
      false,
      false,
      "long\n",
    ]);
    await environment.close();
    await expect.poll(() => living("sleep 40.5")).toEqual([]);
  });

  it("says what is missing where there is neither bash nor setsid", async () => {
    const options = places.place();
    const PATH = machineWith(`${options.copy}.bin`, ["sh", "cat", "rm"]);
    await expect(openLocal({ ...options, env: { PATH } })).rejects.toMatchObject({
      code: "environment_lost",
      message: expect.stringContaining("neither bash nor setsid is here"),
    });
  });

  it("serves 50 environments at once", async () => {
    const opened = await Promise.all(
      Array.from({ length: 50 }, () => openLocal({ ...places.place(), env: process.env })),
    );
    const results = await Promise.all(
      opened.map(async (environment, index) => {
        await environment.execute(`echo ${index} >f`, limit);
        return textOf(await environment.execute("cat f", { timeoutSec: 60 }));
      }),
    );
    expect(results).toEqual(opened.map((_, index) => `${index}\n`));
    await Promise.all(opened.map((environment) => environment.close()));
  });
});
