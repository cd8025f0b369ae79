import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { textOf } from "../contracts/command.ts";
import { changedImages } from "./docker-images.ts";
import { dockerPlaces, works } from "./docker-places.ts";

const run = `docker-bare-${process.pid}`;
const places = dockerPlaces(run);
const limit = { timeoutSec: 20 };
const images = changedImages();

afterAll(async () => {
  await places.remove();
  await images.remove();
});

describe.runIf(works)("an image", () => {
  it("without bash and base64 runs commands with sh, and its bytes still come whole", async () => {
    const image = await images.without(["bash", "base64"]);
    const notices: string[] = [];
    const environment = await places.open({ image, onNotice: (text) => notices.push(text) });
    expect(notices).toEqual([
      `The image ${image} has no bash: commands run in its sh, where those written for bash may fail.`,
    ]);
    const result = await environment.execute("echo $0; printf '\\000\\377'; exit 3", limit);
    expect([result.exitCode, Buffer.from(result.output.head)]).toEqual([
      3,
      Buffer.from("sh\n\0\xff", "latin1"),
    ]);
    const late = await environment.execute("sleep 51.5 | cat", { timeoutSec: 0.5 });
    expect([late.exitCode, late.timedOut]).toEqual([124, true]);
    expect(textOf(await environment.execute("ps -e -o args | grep -c '[s]leep 51'", limit))).toBe(
      "0\n",
    );
    const long = await environment.execute("seq 100000", limit);
    expect(long.output.totalBytes).toBe(588_895);
    expect(Buffer.from(long.output.tail).toString().slice(-14)).toBe("\n99999\n100000\n");
    await environment.close();
  });

  it("with bash gives no reason for a notice", async () => {
    const notices: string[] = [];
    const environment = await places.open({ onNotice: (text) => notices.push(text) });
    expect(notices).toEqual([]);
    await environment.close();
  });

  it("with a user of its own gives that user the repository", async () => {
    const repository = mkdtempSync(join(tmpdir(), "pmcoder-owned-"));
    writeFileSync(join(repository, "f"), "1\n");
    const image = await images.after(["true"], "pmcoder-test-user", "USER 1234:1234");
    const environment = await places.open({ image, repository });
    rmSync(repository, { recursive: true });
    const script = "echo 2 >>f; echo 3 >g; stat -c %u:%g . f g; cat f g; echo $BASH_ENV";
    expect(textOf(await environment.execute(script, limit))).toBe(
      `${"1234:1234\n".repeat(3)}1\n2\n3\n\n`,
    );
    await environment.close();
  });

  it("without a shell is refused, saying so, and no container is left", async () => {
    const image = await images.without(["bash", "sh", "dash"]);
    const opening = places.open({ image });
    await expect(opening).rejects.toMatchObject({
      code: "environment_lost",
      message: expect.stringContaining(`Expected a POSIX shell and sleep in the image ${image}`),
    });
    expect(await places.containers()).toEqual([]);
  });

  it("with a shell but no way to make process groups is refused too", async () => {
    const image = await images.without(["bash", "setsid"]);
    await expect(places.open({ image })).rejects.toMatchObject({
      code: "environment_lost",
      message: expect.stringContaining("neither bash nor setsid is here"),
    });
    expect(await places.containers()).toEqual([]);
  });

  it("is not entered after an interrupt, and no container is left", async () => {
    for (const delay of [0, 200, 400]) {
      const signal = AbortSignal.timeout(delay);
      const opening = places.open({ signal }).then(
        (environment) => environment.close().then(() => "opened before"),
        (error: { code: string }) => error.code,
      );
      expect(["interrupted", "opened before"]).toContain(await opening);
      expect(await places.containers()).toEqual([]);
    }
    await expect(places.open({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "interrupted",
    });
  });
});
