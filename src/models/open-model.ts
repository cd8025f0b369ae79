import type { Clock } from "../domain/clock.ts";
import type { RunConfig } from "../domain/config/run-config.ts";
import { PmcoderError } from "../domain/errors.ts";
import { free, type Model, type Price } from "../domain/model.ts";
import type { AdapterOptions } from "./adapter-options.ts";
import { withContextLimit } from "./context-limit.ts";
import { isLoopback, priceOf } from "./pricing.ts";

/** Keys as the environment held them. `pmcoder` is for a server at a base URL. */
export interface Keys {
  readonly anthropic?: string | undefined;
  readonly openai?: string | undefined;
  readonly pmcoder?: string | undefined;
}

type Config = RunConfig["model"];

const variables = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  pmcoder: "PMCODER_API_KEY",
} as const;

interface Provider {
  readonly host: string;
  readonly open: (options: AdapterOptions) => Promise<Model>;
}

/** Adapters are imported when asked for: an SDK takes a sixth of a second to load. */
const providers: Readonly<Record<"anthropic" | "openai", Provider>> = {
  anthropic: {
    host: "api.anthropic.com",
    open: async (options) => (await import("./anthropic.ts")).anthropicModel(options),
  },
  openai: {
    host: "api.openai.com",
    open: async (options) => (await import("./openai.ts")).openaiModel(options),
  },
};

interface Asked {
  readonly provider: "anthropic" | "openai" | "replay";
  readonly model: string;
}

/** The two parts of `provider:name`, split at the first colon; null: no provider that is known. */
export function readModelName(name: string): Asked | null {
  const [, provider, model = ""] = /^(anthropic|openai|replay):(.+)$/s.exec(name) ?? [];
  if (provider === undefined) return null;
  return { provider: provider as Asked["provider"], model };
}

/** What a model costs, without opening it; null: unknown, as is that of an unknown provider. */
export function priceOfModel({ name, baseUrl }: Pick<Config, "name" | "baseUrl">): Price | null {
  const asked = readModelName(name ?? "");
  if (asked === null) return null;
  if (asked.provider === "replay") return free;
  return priceOf(asked.model, { host: providers[asked.provider].host, baseUrl });
}

function noModel(): PmcoderError {
  const message =
    "No model is chosen. Give --model provider:name: anthropic:NAME, openai:NAME (with --base-url for any compatible server) or replay:FILE.";
  return new PmcoderError("usage", message);
}

export function unknownModel(name: string): PmcoderError {
  const message = `The model "${name}" is not known: expected provider:name, where provider is anthropic, openai (also for any compatible server, with --base-url) or replay.`;
  return new PmcoderError("model_unavailable", message);
}

interface Key {
  readonly key: string;
  readonly keyVariable: string;
}

/**
 * The key for a server. One that the user names by its URL gets PMCODER_API_KEY alone: a provider's
 * own key never goes to another host. A server on this machine needs none.
 */
export function keyFor(provider: "anthropic" | "openai", baseUrl: string | null, keys: Keys): Key {
  const name = baseUrl === null ? provider : "pmcoder";
  const keyVariable = variables[name];
  const key = keys[name]?.trim();
  if (key && /[^\x21-\x7e]/.test(key)) {
    const message = `The key in ${keyVariable} holds a space or another character that no key has. Set it again.`;
    throw new PmcoderError("model_unavailable", message);
  }
  if (key) return { key, keyVariable };
  if (isLoopback(baseUrl)) return { key: "none", keyVariable };
  const place = baseUrl === null ? provider : baseUrl;
  throw new PmcoderError("model_unavailable", `There is no key for ${place}: set ${keyVariable}.`);
}

async function openServer(
  provider: "anthropic" | "openai",
  model: string,
  config: Config,
  keys: Keys,
  clock: Clock,
): Promise<Model> {
  const { baseUrl } = config;
  const { host, open } = providers[provider];
  const endpoint = {
    name: `${provider}:${model}`,
    model,
    baseUrl,
    ...keyFor(provider, baseUrl, keys),
  };
  return open({ endpoint, price: priceOf(model, { host, baseUrl }), config, clock });
}

/**
 * Opens the model that `config.name` asks for (`provider:name`, split at the first colon).
 * @throws PmcoderError `usage` without a name; `model_unavailable` for an unknown provider, a
 * missing key, or a replay file that cannot be read.
 */
export async function openModel(config: Config, keys: Keys, clock: Clock): Promise<Model> {
  if (config.name === null) throw noModel();
  const asked = readModelName(config.name);
  if (asked === null) throw unknownModel(config.name);
  const { provider, model: name } = asked;
  if (provider === "replay") return (await import("./replay.ts")).openReplay(name);
  const model = await openServer(provider, name, config, keys, clock);
  return config.contextTokens === null ? model : withContextLimit(model, config.contextTokens);
}
