import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { remoteSpool } from "../../src/environments/docker-spool.ts";
import { startProcess } from "../../src/environments/host-process.ts";
import { hostSpool } from "../../src/environments/spool.ts";
import { Supervisor } from "../../src/environments/supervisor.ts";
import { SUPERVISOR_ARGV } from "../../src/environments/supervisor-program.ts";

const folder = mkdtempSync(join(tmpdir(), "pmcoder-spool-"));
afterAll(() => rmSync(folder, { recursive: true }));
const bytes = 1000;
const content = (length: number) =>
  Buffer.from(Array.from({ length }, (_, index) => (index * 7919) % 256));

describe("a spool behind a supervisor", () => {
  let supervisor: Supervisor;
  beforeAll(async () => {
    const channel = startProcess(SUPERVISOR_ARGV, { PATH: process.env["PATH"] ?? "" });
    supervisor = await Supervisor.start(channel, { workdir: folder, folder, mark: "spool" });
  });
  afterAll(() => supervisor.stop());
  afterEach(() => rmSync(join(folder, "0001.log"), { force: true }));

  it.each([0, 1, 56, 57, 58, 999, 1000, 1001, 1999, 2000, 2001, 5000])(
    "gives the ends of %i bytes as a folder of this machine does",
    async (length) => {
      writeFileSync(join(folder, "0001.log"), content(length));
      const ends = await remoteSpool(supervisor).ends("0001.log", bytes);
      const { head, tail, totalBytes } = await hostSpool(folder).ends("0001.log", bytes);
      expect([Buffer.from(ends.head), Buffer.from(ends.tail), ends.totalBytes]).toEqual([
        Buffer.from(head),
        Buffer.from(tail),
        totalBytes,
      ]);
      expect(await remoteSpool(supervisor).size("0001.log")).toBe(length);
    },
  );

  it("knows nothing of a file that is not there", async () => {
    const spool = remoteSpool(supervisor);
    expect(await spool.size("none")).toBe(0);
    const { head, totalBytes } = await spool.ends("none", bytes);
    expect([head.length, totalBytes]).toEqual([0, 0]);
  });

  it("takes a file away", async () => {
    writeFileSync(join(folder, "copy.tmp"), content(1_000_001));
    const taken = await remoteSpool(supervisor).take("copy.tmp");
    expect(Buffer.compare(taken, content(1_000_001))).toBe(0);
    await remoteSpool(supervisor).size("copy.tmp");
    expect(existsSync(join(folder, "copy.tmp"))).toBe(false);
  });

  it("tells sizes while a command runs", async () => {
    const running = supervisor.run({
      command: "echo 123; sleep 1; echo 456",
      file: join(folder, "0001.log"),
      timeoutSec: 10,
      overgrown: async () => false,
    });
    await expect.poll(() => supervisor.size("0001.log")).toBe(4);
    await running;
    expect(await supervisor.size("0001.log")).toBe(8);
  });
});

it("a spool whose supervisor is gone has sizes of nothing, and no content", async () => {
  const channel = startProcess(SUPERVISOR_ARGV, { PATH: process.env["PATH"] ?? "" });
  const supervisor = await Supervisor.start(channel, { workdir: folder, folder, mark: "gone" });
  const asked = supervisor.size("x");
  await supervisor.stop();
  expect([await asked, await supervisor.size("x")]).toEqual([0, 0]);
  await expect(remoteSpool(supervisor).ends("x", bytes)).rejects.toMatchObject({
    code: "environment_lost",
  });
});
