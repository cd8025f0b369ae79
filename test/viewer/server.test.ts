import { type IncomingHttpHeaders, request } from "node:http";
import { describe, expect, it } from "vitest";
import { serveViewer } from "../../src/viewer/server.ts";
import { episodeOf } from "../eval/episodes.ts";
import { assets } from "./chromium.ts";
import { libraryOf, served } from "./served.ts";

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function ask(url: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers, method }, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    });
    asked.on("error", reject);
    asked.end();
  });
}

const library = () =>
  libraryOf({ "a.json": [episodeOf(["cat a.py"])], "b.json": [episodeOf(["ls"])] });

/** A viewer, and what asks it as a browser that has come in by the address with the token. */
async function entered(shelf = library()) {
  const viewer = await served(shelf);
  const { headers } = await ask(viewer.urlOf("/"));
  const cookie = headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  const { origin } = new URL(viewer.urlOf("/"));
  return { viewer, origin, get: (path: string) => ask(`${origin}${path}`, { cookie }) };
}

describe("the way in", () => {
  it("is the token in the address, then a cookie for this site alone", async () => {
    const viewer = await served(library());
    const { status, headers, body } = await ask(viewer.urlOf("/episode/t0-0"));
    expect(status).toBe(200);
    expect(headers["set-cookie"]?.[0]).toMatch(
      /^pmcoder-\d+=[0-9a-f]{32}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(body).toContain('content="0;url=/episode/t0-0"');
    expect(body).not.toContain("token");
  });

  it.each([
    ["no token", (url: URL) => url.searchParams.delete("token")],
    ["another token", (url: URL) => url.searchParams.set("token", "0".repeat(32))],
    ["an empty token", (url: URL) => url.searchParams.set("token", "")],
  ])("is closed to %s", async (_, change) => {
    const viewer = await served(library());
    const url = new URL(viewer.urlOf("/"));
    change(url);
    const { status, headers, body } = await ask(url.href);
    expect(status).toBe(403);
    expect(headers["set-cookie"]).toBeUndefined();
    expect(body).toContain("Open the whole address");
  });

  it.each([
    "evil.example",
    "evil.example:PORT",
    "127.0.0.1",
    "127.0.0.1:1",
    "127.0.0.1.evil.example:PORT",
  ])("is closed to whoever comes as %s, token or not", async (host) => {
    const viewer = await served(library());
    const url = new URL(viewer.urlOf("/"));
    const { status } = await ask(url.href, { host: host.replace("PORT", url.port) });
    expect(status).toBe(403);
  });

  it("takes nothing in", async () => {
    const viewer = await served(library());
    expect((await ask(viewer.urlOf("/"), {}, "POST")).status).toBe(405);
  });

  it("is on one loopback address alone", async () => {
    const viewer = await served(library());
    const url = new URL(viewer.urlOf("/"));
    expect(url.hostname).toBe("127.0.0.1");
    // Another address of this machine, which a server on all interfaces would answer.
    url.hostname = "127.0.0.2";
    await expect(ask(url.href)).rejects.toThrow("ECONNREFUSED");
  });
});

describe("the pages", () => {
  it("forbid whatever is not theirs, and are kept nowhere", async () => {
    const { get } = await entered();
    const { headers, body } = await get("/episode/t0-0");
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    });
    expect(body).not.toMatch(/<script>| style="| on\w+="/);
  });

  it.each([
    "/episode/t0-1",
    "/episode/t9-0",
    "/episode/t0-0/step/2",
    "/episode/t0-0/step/x",
    "/episode/../../etc/passwd",
    "/episode/..%2F..%2Fetc%2Fpasswd",
    "/episode/%2Fetc%2Fpasswd",
    "/assets/../package.json",
    "/assets/base.css",
    "/episode/t0-0/../../../etc/passwd",
    "/compare?with=%2Fetc%2Fpasswd&with=t0-0",
    "/compare",
    "/nothing",
  ])("are not found at %s", async (path) => {
    const { get } = await entered();
    const { status, body } = await get(path);
    expect(status).toBe(404);
    expect(body).not.toContain("root:");
  });

  it("lead from one episode to the next and back", async () => {
    const { get } = await entered();
    expect((await get("/episode/t0-0")).body).toContain('rel="next" href="/episode/t1-0"');
    expect((await get("/episode/t1-0")).body).toContain('rel="prev" href="/episode/t0-0"');
  });

  it("lead from a text that is cut to the whole of it", async () => {
    const long = `${"a".repeat(30_000)}END`;
    const { get } = await entered(
      libraryOf({ "a.json": [episodeOf([{ commands: ["ls"], output: long }])] }),
    );
    const { body } = await get("/episode/t0-0");
    expect(body).toContain("characters are left out of this page");
    expect(body).toContain('href="/episode/t0-0/step/1"');
    const whole = (await get("/episode/t0-0/step/1")).body;
    expect(whole).toContain(`${"a".repeat(28_800)}END`);
    expect(whole).not.toContain("left out of this page");
  });

  it("can be had as a file", async () => {
    const { get } = await entered();
    const { headers, body } = await get("/episode/t0-0/export");
    expect(headers["content-disposition"]).toBe('attachment; filename="t0-0.html"');
    expect(body).toContain("cat a.py");
    const both = await get("/compare/export?with=t0-0&with=t1-0");
    expect(both.headers["content-disposition"]).toBe('attachment; filename="t0-0-and-t1-0.html"');
  });

  it("offer the other episodes where one alone is named to compare", async () => {
    const { get } = await entered();
    expect((await get("/compare?with=t0-0")).body).toContain('/compare?with=t0-0&amp;with=t1-0"');
  });
});

describe("a viewer", () => {
  it("says which port is taken", async () => {
    const { viewer } = await entered();
    const port = Number(new URL(viewer.urlOf("/")).port);
    await expect(serveViewer({ library: library(), assets, port })).rejects.toThrow(
      `Port ${port} of 127.0.0.1 cannot be used`,
    );
  });

  it("tells why a page cannot be made", async () => {
    const broken = libraryOf({ "a.json": [episodeOf(["ls"])] });
    const viewer = await served({
      ...broken,
      open: () => Promise.reject(new Error("<gone>")),
    });
    const { headers } = await ask(viewer.urlOf("/"));
    const cookie = headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    const { status, body } = await ask(`${new URL(viewer.urlOf("/")).origin}/episode/t0-0`, {
      cookie,
    });
    expect(status).toBe(500);
    expect(body).toContain("&lt;gone&gt;");
  });
});
