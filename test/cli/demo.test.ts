import { EventEmitter } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { expect, it } from "vitest";
import { main } from "../../src/cli/program.ts";
import { startPmcoder } from "./run-process.ts";
import { copiesOf, namesIn, world } from "./run-world.ts";

it("the demo turns failing tests into passing ones without a terminal, and leaves nothing", async () => {
  const at = world();
  const tmp = join(at.folder, "tmp");
  mkdirSync(tmp);
  const { child, ended, out, err } = startPmcoder(at, ["demo", "--json"], { env: { TMPDIR: tmp } });
  child.stdin?.end();
  expect(await ended, err()).toBe(0);

  expect(err()).toContain("bundled replies stand in for a model");
  const [, failed] = /^Tests before: \d+ pass, (\d+) fail\.$/m.exec(err()) ?? [];
  expect(Number(failed)).toBeGreaterThan(0);
  expect(err()).toMatch(/^Tests after: \d+ pass, 0 fail\.$/m);
  expect(err()).toMatch(/^\+\+\+ b\/src\/parse\.js$/m);

  const lines = out()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.at(-1)).toMatchObject({ exit_status: "submitted", exit_code: 0 });
  expect(lines.slice(0, -1).map(({ seq }) => seq)).toEqual(lines.slice(1).map((_, n) => n));

  // The loader of TypeScript keeps a cache of its own there.
  expect(namesIn(tmp).filter((name) => !name.startsWith("tsx-"))).toEqual([]);
  expect(copiesOf(at)).toEqual([]);
  expect(namesIn(at.repo)).toEqual([".git", "answer.py"]);
});

it("the last line of the demo for programs is its summary.json", async () => {
  const { home, repo } = world();
  const lines: { readonly output?: string; readonly exit_status?: string }[] = [];
  const summaries: unknown[] = [];
  // The demo removes its folder at the end, so the file is read as the line is written.
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const line = JSON.parse(chunk.toString());
      lines.push(line);
      const file = join(lines[0]?.output ?? "", "summary.json");
      if ("exit_status" in line) summaries.push(JSON.parse(readFileSync(file, "utf8")));
      done();
    },
  });
  const code = await main(["demo", "--json"], {
    env: { HOME: home, PATH: process.env["PATH"] },
    cwd: repo,
    stdin: Readable.from([]),
    stdout,
    stderr: new PassThrough().resume(),
    signals: new EventEmitter(),
    leave: () => {},
  });
  expect(code).toBe(0);
  expect(summaries).toEqual([lines.at(-1)]);
});
