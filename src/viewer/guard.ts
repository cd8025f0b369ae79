import { createHash, timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { html } from "../domain/html.ts";

/** Who may see the pages: whoever knows the token, under a name of this machine. */
export interface Guard {
  readonly token: string;
  readonly port: number;
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const headers = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

/**
 * Stands before every answer. Another site cannot read the pages, even if its name is made to point
 * to this machine: the Host must be a loopback name, and the cookie goes to this site alone.
 */
export function guarded({ token, port }: Guard): MiddlewareHandler {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  // Cookies do not tell ports apart, so that each viewer needs a name of its own.
  const cookie = `pmcoder-${port}`;
  return async (context, next) => {
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    const { req } = context;
    if (!hosts.includes(req.header("host") ?? "")) return refuse(context, "name");
    if (!["GET", "HEAD"].includes(req.method)) return refuse(context, "method");
    const shown = req.query("token");
    if (!isSame(shown ?? getCookie(context, cookie) ?? "", token)) return refuse(context, "token");
    if (shown === undefined) return next();
    setCookie(context, cookie, token, { httpOnly: true, sameSite: "Strict", path: "/" });
    return context.html(entrance(new URL(req.url)));
  };
}

const refusals = {
  name: [403, "This server answers on this machine only."],
  method: [405, "This server shows pages and takes nothing."],
  token: [403, "Open the whole address that pmcoder view printed, with its token."],
} as const;

function refuse(context: Context, why: keyof typeof refusals): Response {
  const [status, text] = refusals[why];
  return context.text(`${text}\n`, status);
}

/**
 * Leads on to the page without the token, from a page of this site: a redirect would still count as
 * the other site's step, and the cookie would not go with it.
 */
function entrance(url: URL): string {
  url.searchParams.delete("token");
  const path = `${url.pathname}${url.search}`;
  return html`<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${path}"><title>pmcoder</title><p><a href="${path}">Go on</a></p></html>`
    .text;
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
