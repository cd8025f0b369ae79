import { once } from "node:events";
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commandContract, type EnvironmentFactory, gone, living, textOf } from "./command.ts";

/** What every Environment does, whatever its kind. */
export function environmentContract(name: string, factory: EnvironmentFactory): void {
  commandContract(name, factory);

  describe(`${name}: the environment`, () => {
    const limit = { timeoutSec: 5 };

    it("reads files by their path inside, and says when there is none", async () => {
      const environment = await factory.open();
      await environment.execute(
        "printf 'x\\0\\377' >f; mkdir d; cp f /tmp/pmcoder-contract",
        limit,
      );
      const bytes = [0x78, 0, 0xff];
      expect([...(await environment.read("f"))]).toEqual(bytes);
      expect([...(await environment.read("/tmp/pmcoder-contract"))]).toEqual(bytes);
      await environment.execute("rm /tmp/pmcoder-contract", limit);
      await expect(environment.read("d")).rejects.toThrow("Expected a readable file");
      await expect(environment.read("none")).rejects.toThrow(`${environment.workdir}/none`);
      await environment.close();
    });

    it("ends a command that prints without end", async () => {
      const environment = await factory.open({ maxOutputBytes: 1_000_000 });
      const result = await environment.execute("yes", { timeoutSec: 30 });
      expect(result).toMatchObject({ exitCode: 137, timedOut: false, interrupted: false });
      expect(result.output.totalBytes).toBeGreaterThan(1_000_000);
      await environment.close();
    });

    it("leaves no process and no descriptor behind, 300 times", async () => {
      const environment = await factory.open();
      const members = async () =>
        textOf(await environment.execute("ps -o pid= -s $(ps -o sid= $$) | wc -l", limit));
      const processes = await members();
      const descriptors = readdirSync("/proc/self/fd").length;
      for (let index = 0; index < 300; index += 1) await environment.execute("true", limit);
      expect(await members()).toBe(processes);
      expect(readdirSync("/proc/self/fd").length).toBe(descriptors);
      await environment.close();
    });

    it("closes twice, and takes every process with it", async () => {
      const environment = await factory.open();
      await environment.execute("sleep 34.5 & setsid sleep 34.5 & exit", limit);
      expect(living("sleep 34.5")).not.toEqual([]);
      await environment.close();
      await environment.close();
      await gone("sleep 34.5");
      const late = environment.execute("true", limit);
      await expect(late).rejects.toMatchObject({ code: "environment_lost" });
    });

    it("without its supervisor is lost for good", async () => {
      const environment = await factory.open();
      await environment.execute("sleep 35.5 & kill -9 $PPID", limit).catch(() => undefined);
      for (const command of ["true", "true"]) {
        const call = environment.execute(command, limit);
        await expect(call).rejects.toMatchObject({ code: "environment_lost" });
      }
      await environment.close();
      await gone("sleep 35.5");
    });

    it("dies with the process that owns it", async () => {
      const owner = factory.own("sleep 36.5 & setsid sleep 36.5 & exit");
      await once(owner.stdout ?? owner, "data");
      expect(living("sleep 36.5")).not.toEqual([]);
      owner.kill("SIGKILL");
      await gone("sleep 36.5");
      await gone("sleep 60");
    });
  });
}
