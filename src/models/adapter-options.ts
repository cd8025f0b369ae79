import type { Clock } from "../domain/clock.ts";
import type { RunConfig } from "../domain/config/run-config.ts";
import type { Price } from "../domain/model.ts";
import type { Endpoint } from "./failure.ts";

/** What an adapter of a server is made from. */
export interface AdapterOptions {
  readonly endpoint: Endpoint;
  readonly price: Price | null;
  readonly config: RunConfig["model"];
  readonly clock: Clock;
}
