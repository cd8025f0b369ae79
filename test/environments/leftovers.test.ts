import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { EnvironmentConfig } from "../../src/domain/config/environment.ts";
import { openLocal } from "../../src/environments/local.ts";
import { until } from "../cli/run-process.ts";

/** All of the supervisor's own session; what stands in another one lives on. */
const killSupervisor = "kill -9 $(ps -o pid= -s $(ps -o sid= -p $PPID))";

it("what a killed supervisor left is ended before the next one runs anything", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-left-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [spool, beat] = [join(folder, "spool"), join(folder, "beat")];
  const open = () =>
    openLocal({ copy: folder, spool, config: EnvironmentConfig.parse({}), env: process.env });
  const first = await open();
  const loop = `setsid sh -c 'while sleep 0.02; do echo >> "${beat}"; done' &`;
  await first.execute(`${loop} sleep 0.1; ${killSupervisor}`, { timeoutSec: 20 }).catch(() => {});
  await until(() => existsSync(beat), { ended: new Promise<never>(() => {}), err: () => "" });

  const second = await open();
  const size = statSync(beat).size;
  await wait(200);
  expect(statSync(beat).size).toBe(size);
  const { output } = await second.execute("echo runs", { timeoutSec: 20 });
  expect(Buffer.from(output.head).toString()).toBe("runs\n");
  await second.close();
  expect(readdirSync(spool).filter((name) => name.startsWith(".groups"))).toEqual([]);
});
