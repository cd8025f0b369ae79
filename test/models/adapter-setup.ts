import { RunConfig } from "../../src/domain/config/run-config.ts";
import type { AdapterOptions } from "../../src/models/adapter-options.ts";
import { priceOf } from "../../src/models/pricing.ts";
import { stoppedClock } from "../stopped-clock.ts";

export const key = "sk-loopback-0123456789";

/** What an adapter gets for a server on this machine; its waits take no time. */
export function optionsFor(
  provider: "anthropic" | "openai",
  baseUrl: string,
  config: Partial<RunConfig["model"]> = {},
): AdapterOptions {
  const keyVariable = provider === "anthropic" ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY";
  return {
    endpoint: { name: `${provider}:m-1`, model: "m-1", baseUrl, key, keyVariable },
    price: priceOf("m-1", { host: "", baseUrl }),
    config: { ...RunConfig.parse({}).model, ...config },
    clock: stoppedClock(),
  };
}
