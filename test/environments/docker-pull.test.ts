import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { connectEngine } from "../../src/environments/docker-engine.ts";
import { ensureImage, type PullOptions } from "../../src/environments/docker-pull.ts";
import { type FakeEngine, fakeEngine, type Handler, reply } from "./docker-api.ts";

let engine: FakeEngine | undefined;
afterEach(async () => {
  await engine?.close();
  engine = undefined;
});

const image = "docker.io/swebench/sweb.eval.x86_64.octo-org_1776_wid.get-42:latest";

/** Pulls from an engine that answers each `POST /images/create` with the next of these. */
async function pull(answers: readonly Handler[], options: Partial<PullOptions> = {}) {
  const queue = [...answers];
  await engine?.close();
  engine = await fakeEngine((path, ...rest) =>
    path.startsWith("POST /images/create") ? (queue.shift()?.(path, ...rest) ?? false) : false,
  );
  const lines: string[] = [];
  const outcome = await ensureImage(await connectEngine(engine.env), {
    image,
    timeoutSec: 20,
    onProgress: (line) => lines.push(line),
    delaysSec: [0.01, 0.02],
    ...options,
  }).then(
    () => "here",
    (error: unknown) => error,
  );
  return { outcome, lines, pulls: engine.requests.filter((path) => path.startsWith("POST")) };
}

const events =
  (...sent: readonly unknown[]): Handler =>
  (_path, response) => {
    response.writeHead(200);
    response.end(sent.map((event) => `${JSON.stringify(event)}\r\n`).join(""));
    return true;
  };
const busy: Handler = (_path, response) =>
  reply(response, 500, { message: "toomanyrequests: You have reached your pull rate limit." });

describe("an image", () => {
  it("that the engine has is not pulled", async () => {
    engine = await fakeEngine((path, response) =>
      path.startsWith("GET /images/") ? reply(response, 200, { Id: "1" }) : false,
    );
    const lines: string[] = [];
    const onProgress = (line: string) => lines.push(line);
    await ensureImage(await connectEngine(engine.env), { image: "x", timeoutSec: 5, onProgress });
    expect([engine.requests, lines]).toEqual([["GET /_ping", "GET /images/x:latest/json"], []]);
  });

  it("is pulled by name, tag and platform", async () => {
    const { outcome, lines, pulls } = await pull([events({ status: "done" })]);
    expect([outcome, lines]).toEqual(["here", [`pulling ${image}`]]);
    expect(pulls).toEqual([
      "POST /images/create?platform=linux%2Famd64&fromImage=docker.io%2Fswebench%2Fsweb.eval.x86_64.octo-org_1776_wid.get-42&tag=latest",
    ]);
  });

  it("tells how much of it came, once a second", async () => {
    const slow: Handler = (_path, response) => {
      const send = (id: string, current: number) =>
        response.write(`${JSON.stringify({ id, progressDetail: { current, total: 8e6 } })}\n`);
      response.writeHead(200);
      send("a", 1e6);
      send("b", 2e6);
      setTimeout(() => {
        send("a", 4e6);
        send("b", 5e6);
        response.end();
      }, 1100);
      return true;
    };
    const { lines } = await pull([slow]);
    expect(lines).toEqual([`pulling ${image}`, `pulling ${image}: 6 of 16 MB in 2 layers`]);
  });

  it.each([
    [404, "pull access denied for octo, repository does not exist"],
    [403, "denied: requested access to the resource is denied"],
    [500, "unauthorized: authentication required"],
  ])("that is refused with %i is missing at once: %s", async (status, message) => {
    const { outcome, pulls } = await pull([
      (_path, response) => reply(response, status, { message }),
    ]);
    expect(outcome).toMatchObject({
      code: "image_missing",
      message: expect.stringContaining(message),
    });
    expect(pulls).toHaveLength(1);
  });

  it("that fails within the stream is missing too", async () => {
    const { outcome } = await pull([events({ status: "x" }, { error: "manifest unknown" })]);
    expect(outcome).toMatchObject({ code: "image_missing" });
    expect(outcome).toMatchInlineSnapshot(
      `[PmcoderError: The image docker.io/swebench/sweb.eval.x86_64.octo-org_1776_wid.get-42:latest is not here and cannot be pulled: manifest unknown. Check its name (--image), log in if it is private (docker login), or load it (docker load).]`,
    );
  });

  it("whose registry is busy is asked for again", async () => {
    const within = events({ error: "toomanyrequests: slow down" });
    const { outcome, lines, pulls } = await pull([busy, within, events({ status: "done" })]);
    expect([outcome, pulls.length]).toEqual(["here", 3]);
    expect(lines.slice(1)).toEqual([
      "the registry is busy (toomanyrequests: You have reached your pull rate limit.); next try in 0.01 s",
      "the registry is busy (toomanyrequests: slow down); next try in 0.02 s",
    ]);
  });

  it("whose registry stays busy is not to be had", async () => {
    const { outcome, pulls } = await pull([
      (_path, response) => reply(response, 429, { message: "slow down" }),
      busy,
      busy,
    ]);
    expect(outcome).toMatchObject({
      code: "image_missing",
      message: expect.stringContaining("still too busy"),
    });
    expect(pulls).toHaveLength(3);
  });

  it("that does not come in time is given up", async () => {
    const endless: Handler = (_path, response) => {
      response.writeHead(200).write('{"status":"on its way"}\n');
      return true;
    };
    const { outcome } = await pull([endless], { timeoutSec: 0.3 });
    expect(outcome).toMatchObject({
      code: "image_missing",
      message: expect.stringContaining("did not come within 0.3 s"),
    });
  });

  it("is not waited for after an interrupt, of a pull or of a pause", async () => {
    const endless: Handler = (_path, response) => {
      response.writeHead(200).write('{"status":"on its way"}\n');
      return true;
    };
    for (const answer of [endless, busy]) {
      const ending = new AbortController();
      const pulling = pull([answer], { signal: ending.signal, delaysSec: [60] });
      await wait(300);
      ending.abort();
      expect((await pulling).outcome).toMatchObject({ code: "interrupted" });
    }
  });

  it("of an engine that fails is no reason to pull", async () => {
    engine = await fakeEngine((_path, response) => reply(response, 500, { message: "disk full" }));
    const asking = ensureImage(await connectEngine(engine.env), {
      image,
      timeoutSec: 5,
      onProgress: () => {},
    });
    await expect(asking).rejects.toMatchObject({
      code: "environment_lost",
      message: expect.stringContaining("disk full"),
    });
  });
});
