import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { free, type Price } from "../domain/model.ts";
import { packageRoot } from "./package-root.ts";

const PriceList = z.strictObject({
  as_of: z.iso.date(),
  notes: z.array(z.string()),
  /** By host of the server, then by model, in US dollars per million tokens. */
  prices: z.record(
    z.string(),
    z.record(
      z.string(),
      z.strictObject({
        input: z.number(),
        cached: z.number(),
        cacheWritten: z.number(),
        output: z.number(),
      }),
    ),
  ),
});
export type PriceList = z.infer<typeof PriceList>;

/** The prices that travel with the package. */
export function readPrices(): PriceList {
  const file = join(packageRoot(import.meta.url), "assets", "prices.json");
  return PriceList.parse(JSON.parse(readFileSync(file, "utf8")));
}

/** Whether a base URL is this machine: 127.0.0.0/8, ::1 or localhost. */
export function isLoopback(baseUrl: string | null): boolean {
  if (baseUrl === null) return false;
  const { hostname } = new URL(baseUrl);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

const datedName = /^(.+?)-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;

/**
 * US dollars per million tokens, or null if unknown. `host`: the provider's own server, used where
 * no base URL is set. A price belongs to a server: what others charge for the same model is not
 * known. A snapshot (`NAME-20250929`, `NAME-2025-08-07`, `NAME-latest`) costs what its model does.
 */
export function priceOf(
  model: string,
  { host, baseUrl }: { readonly host: string; readonly baseUrl: string | null },
  list: () => PriceList = readPrices,
): Price | null {
  if (isLoopback(baseUrl)) return free;
  const server = own(list().prices, baseUrl === null ? host : new URL(baseUrl).hostname) ?? {};
  return own(server, model) ?? own(server, datedName.exec(model)?.[1] ?? "") ?? null;
}
