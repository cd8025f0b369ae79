import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, it } from "vitest";
import { fetchIssue, parseIssueAddress } from "../../src/cli/github-issue.ts";
import { loopbackServer } from "./loopback-server.ts";

const issue = { owner: "acme", repo: "widget", number: "7" };
const saveIt = "Or save the text to a file and give --issue FILE.";

describe("the address of an issue", () => {
  it.each([
    "https://github.com/acme/widget/issues/7",
    "http://www.github.com/acme/widget/issues/7/",
    "https://github.com/acme/widget/pull/7",
    "https://github.com/acme/widget/pull/7/files?w=1",
    "https://github.com/acme/widget/issues/7?q=a#issuecomment-1",
  ])("%s", (url) => {
    expect(parseIssueAddress(url)).toEqual(issue);
  });

  it.each([
    "https://github.com/acme/widget",
    "https://github.com/acme/widget/issues",
    "https://github.com/acme/widget/issues/7abc",
    "https://github.com.example.org/acme/widget/issues/7",
    "https://example.org/?https://github.com/acme/widget/issues/7",
    "see https://github.com/acme/widget/issues/7",
  ])("is not %s", (url) => {
    expect(parseIssueAddress(url)).toBeNull();
  });
});

describe("an issue from the API", () => {
  it("is its title and its text, asked for with the token", async () => {
    let asked: { url: string | undefined; headers: IncomingHttpHeaders } | undefined;
    const base = await loopbackServer(({ url, headers }, response) => {
      asked = { url, headers };
      response.end(JSON.stringify({ title: "It breaks", body: "When I turn it.\n", comments: 3 }));
    });
    const env = { PMCODER_GITHUB_API: `${base}/`, GITHUB_TOKEN: "t1" };
    expect(await fetchIssue(issue, env)).toBe("It breaks\n\nWhen I turn it.");
    expect(asked?.url).toBe("/repos/acme/widget/issues/7");
    expect(asked?.headers).toMatchObject({ authorization: "Bearer t1", "user-agent": "pmcoder" });
  });

  it("may have no text, and needs no token", async () => {
    let headers: IncomingHttpHeaders = {};
    const base = await loopbackServer((request, response) => {
      headers = request.headers;
      response.end(JSON.stringify({ title: "It breaks", body: null }));
    });
    expect(await fetchIssue(issue, { PMCODER_GITHUB_API: base })).toBe("It breaks");
    expect(headers.authorization).toBeUndefined();
  });

  it.each([
    [404, {}, {}, "there is no such issue, or it is private (then set GITHUB_TOKEN)."],
    [404, {}, { GITHUB_TOKEN: "t1" }, "there is no such issue, or GITHUB_TOKEN may not read it."],
    [403, { "x-ratelimit-remaining": "0" }, {}, "limit of requests is used up; set GITHUB_TOKEN."],
    [429, {}, { GITHUB_TOKEN: "t1" }, "limit of requests is used up; wait a while."],
    [401, {}, { GITHUB_TOKEN: "t1" }, "GitHub does not accept GITHUB_TOKEN."],
    [500, {}, {}, "GitHub answered with status 500."],
    [200, {}, {}, "did not answer with an issue."],
  ])("status %i %j %j is answered with what to do", async (status, headers, env, message) => {
    const base = await loopbackServer((_, response) => {
      response.writeHead(status, headers).end("no JSON");
    });
    const asked = fetchIssue(issue, { ...env, PMCODER_GITHUB_API: base });
    await expect(asked).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/^acme\/widget#7: /),
    });
    await expect(asked).rejects.toThrow(`${message} ${saveIt}`);
    await expect(asked).rejects.not.toThrow("t1");
  });

  it.each(["http://127.0.0.1:9", "not a url"])("from %s, which does not answer", async (base) => {
    await expect(fetchIssue(issue, { PMCODER_GITHUB_API: base })).rejects.toThrow(
      `acme/widget#7 cannot be fetched: ${base} does not answer. ${saveIt}`,
    );
  });
});
