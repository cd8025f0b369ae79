import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fetchVerified, verifiedUrl } from "../../src/eval/fetch-verified.ts";
import { loopbackServer } from "../cli/loopback-server.ts";
import { folderWith } from "./dataset-folder.ts";

const bytes = readFileSync(new URL("../fixtures/datasets/v4-snappy.parquet", import.meta.url));
const sha256 = createHash("sha256").update(bytes).digest("hex");
const now = Date.UTC(2026, 0, 2);

/** A hub like Hugging Face's: what it knows of the file stands on the redirect to its store. */
const hub =
  (linked: Record<string, string>, send: RequestListener): RequestListener =>
  (request, response) => {
    if (request.url === "/store") return send(request, response);
    response.writeHead(302, { location: "/store", ...linked }).end();
  };
const whole: RequestListener = (_, response) => void response.end(bytes);

async function fetchFrom(server: string, folder = join(folderWith({}), "a/b")) {
  const seen: [number, number | null][] = [];
  const options = {
    url: `${server}/file.parquet`,
    folder,
    now: () => now,
    signal: new AbortController().signal,
    onProgress: (done: number, total: number | null) => void seen.push([done, total]),
    idleSec: 0.5,
  };
  const result = await fetchVerified(options).then(
    (fetched) => ({ fetched, message: "" }),
    (error: unknown) => ({ fetched: null, message: String(error) }),
  );
  return { ...result, seen, folder };
}

describe("fetching SWE-bench Verified", () => {
  it("keeps the file and where it came from, and asks the network once", async () => {
    let requests = 0;
    const linked = {
      "x-repo-commit": "c0ffee",
      "x-linked-size": String(bytes.length),
      "x-linked-etag": `"${sha256}"`,
    };
    const answer = hub(linked, whole);
    const server = await loopbackServer((request, response) => {
      requests += 1;
      answer(request, response);
    });
    const { fetched, seen, folder } = await fetchFrom(server);
    const record = {
      url: `${server}/file.parquet`,
      revision: "c0ffee",
      sha256,
      bytes: bytes.length,
      rows: 2,
      faults: ["verified.parquet, row 3 (acme__gadget-1): repo is empty"],
      fetched: "2026-01-02T00:00:00.000Z",
    };
    const file = join(folder, "verified.parquet");
    expect(fetched).toEqual({ file, isNew: true, record });
    expect(readFileSync(file)).toEqual(bytes);
    expect(seen.at(-1)).toEqual([bytes.length, bytes.length]);
    expect(readdirSync(folder)).toEqual(["verified.parquet", "verified.source.json"]);

    expect(await fetchFrom(server, folder)).toMatchObject({
      fetched: { file, isNew: false, record },
      seen: [],
    });
    expect(requests).toBe(2);
  });

  it("asks for the dataset that swebench 5 grades", () => {
    const { host, pathname } = new URL(verifiedUrl);
    expect(host).toBe("huggingface.co");
    expect(pathname).toMatch(/^\/datasets\/SWE-bench\/SWE-bench_Verified\/resolve\/.+\.parquet$/);
  });

  it("needs nothing that a server may not say", async () => {
    const server = await loopbackServer(whole);
    const { fetched } = await fetchFrom(server);
    expect(fetched?.record).toMatchObject({ revision: null, sha256, rows: 2 });
  });

  it("takes a file that was copied there for what it is", async () => {
    const folder = folderWith({});
    writeFileSync(join(folder, "verified.parquet"), bytes);
    expect((await fetchFrom("http://127.0.0.1:9", folder)).fetched).toMatchObject({
      isNew: false,
      record: null,
    });
  });
});

describe("a fetch that fails", () => {
  const status: (code: number) => RequestListener = (code) => (_, response) =>
    void response.writeHead(code).end("no");

  it.each<[string, RequestListener, RegExp]>([
    ["not there", status(404), /127\.0\.0\.1:\d+ answered with status 404\./],
    ["not allowed", status(401), /answered with status 401\./],
    [
      "a circle",
      (_, r) => void r.writeHead(302, { location: "/again" }).end(),
      /more than 5 times/,
    ],
    ["a page to sign in", (_, r) => void r.end("<!doctype html>"), /is not a Parquet file/],
    [
      "cut short",
      (_, r) => {
        r.writeHead(200, { "content-length": String(bytes.length) });
        r.write(bytes.subarray(0, 900), () => r.destroy());
      },
      /cannot be reached: /,
    ],
    [
      "a shorter file than was named",
      hub({ "x-linked-size": String(bytes.length) }, (_, r) => void r.end(bytes.subarray(0, 900))),
      /sent 900 bytes with SHA-256 [0-9a-f]{64}, not the 4061 with /,
    ],
    [
      "another file than was named",
      hub({ "x-linked-etag": `"${"0".repeat(64)}"` }, whole),
      /sent 4061 bytes with SHA-256 [0-9a-f]{64}, not the 4061 with 0{64} that it named/,
    ],
    ["silence", () => {}, /cannot be reached: no answer for 0\.5 s/],
  ])("with %s leaves nothing and says how to do without", async (_, answer, reason) => {
    const { message, folder } = await fetchFrom(await loopbackServer(answer));
    expect(message).toMatch(reason);
    expect(message).toMatch(/^PmcoderError: SWE-bench Verified was not fetched: /);
    expect(message).toContain("curl -L -o verified.parquet http://127.0.0.1:");
    expect(message).toContain(`Then copy it to ${folder}/verified.parquet; rows as JSON lines go`);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("names the server when there is no network", async () => {
    const { message } = await fetchFrom("http://127.0.0.1:9");
    expect(message).toContain("127.0.0.1:9 cannot be reached: ");
  });

  it("says which folder cannot be made", async () => {
    const { message } = await fetchFrom(await loopbackServer(whole), "/dev/null/x");
    expect(message).toMatch(/^PmcoderError: \/dev\/null\/x cannot be written: /);
  });

  it("stops when it is interrupted", async () => {
    const folder = folderWith({});
    const controller = new AbortController();
    const server = await loopbackServer((_, response) => {
      response.write(bytes.subarray(0, 9));
    });
    const reason = new Error("interrupted");
    const fetching = fetchVerified({
      url: server,
      folder,
      now: () => now,
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    });
    await expect(fetching).rejects.toBe(reason);
    expect(existsSync(join(folder, "verified.parquet"))).toBe(false);
  });
});
