import { z } from "zod";
import type { Clock } from "../domain/clock.ts";
import type { RunConfig } from "../domain/config/run-config.ts";
import { PmcoderError } from "../domain/errors.ts";
import { keyFor, openModel } from "../models/open-model.ts";
import { isLoopback } from "../models/pricing.ts";
import type { Finding } from "./doctor-report.ts";
import type { Env } from "./env.ts";
import { keysHeld, keysOf } from "./keys.ts";

export function keysFinding(env: Env): Finding {
  const held = keysHeld(env);
  if (held.length > 0) return { name: "keys", state: "ok", found: held.join(", ") };
  const found = "none in the environment; local servers and replay need none";
  return { name: "keys", state: "optional", found, fix: "export ANTHROPIC_API_KEY=YOUR_KEY" };
}

const limitMs = 3_000;
const name = "model";

/** Whether the configured model can be opened and its server answers, within three seconds. */
export async function modelFinding(
  config: RunConfig["model"],
  env: Env,
  clock: Clock,
): Promise<Finding> {
  if (config.name === null) {
    const fix = "pmcoder config set model PROVIDER:NAME";
    return { name, state: "optional", found: "none is set; give --model with each run", fix };
  }
  try {
    await openModel(config, keysOf(env), clock);
    return await serverFinding(config, config.name, env);
  } catch (error) {
    if (!(error instanceof PmcoderError)) throw error;
    return { name, state: "missing", found: error.message };
  }
}

async function serverFinding(
  { baseUrl }: RunConfig["model"],
  model: string,
  env: Env,
): Promise<Finding> {
  const provider = model.slice(0, model.indexOf(":"));
  if (provider !== "anthropic" && provider !== "openai") {
    return { name, state: "ok", found: `${model} can be read` };
  }
  const { key, keyVariable } = keyFor(provider, baseUrl, keysOf(env));
  const url = `${(baseUrl ?? providerUrls[provider]).replace(/\/+$/, "")}${lists[provider]}`;
  const response = await fetch(url, {
    headers: {
      authorization: `Bearer ${key}`,
      "anthropic-version": "2023-06-01",
      // Servers that only imitate Anthropic's API know the older header alone.
      ...(baseUrl === null ? {} : { "x-api-key": key }),
    },
    // Followed, a redirection would carry the key to another host.
    redirect: "manual",
    signal: AbortSignal.timeout(limitMs),
  }).catch(() => null);
  if (response === null) {
    const found = `${model}: ${url} does not answer within ${limitMs / 1000} s`;
    const fix = isLoopback(baseUrl) ? "start the server (Ollama: ollama serve)" : `curl ${url}`;
    return { name, state: "missing", found, fix };
  }
  return judge(response, { model, url, keyVariable });
}

const providerUrls = {
  anthropic: "https://api.anthropic.com",
  openai: "https://api.openai.com/v1",
} as const;
const lists = { anthropic: "/v1/models", openai: "/models" } as const;

interface Asked {
  readonly model: string;
  readonly url: string;
  readonly keyVariable: string;
}

const ModelList = z.object({
  data: z.array(z.object({ id: z.string() })),
  has_more: z.boolean().optional(),
});

async function judge(response: Response, { model, url, keyVariable }: Asked): Promise<Finding> {
  const { status } = response;
  if (status === 401 || status === 403) {
    const found = `${model}: ${url} does not accept the key in ${keyVariable}`;
    return { name, state: "missing", found, fix: `export ${keyVariable}=YOUR_KEY` };
  }
  if (status >= 500) {
    return { name, state: "missing", found: `${model}: ${url} answers with status ${status}` };
  }
  const list = ModelList.safeParse(await response.json().catch(() => null)).data;
  const wanted = model.slice(model.indexOf(":") + 1);
  const ids = list?.data.map(({ id }) => id) ?? [];
  if (ids.length === 0 || list?.has_more || ids.some((id) => isNamed(id, wanted))) {
    return { name, state: "ok", found: `${model}: the server answers` };
  }
  const found = `the server answers, but its list does not hold ${wanted}: ${ids.slice(0, 5).join(", ")}`;
  return { name, state: "optional", found, fix: `pmcoder config set model openai:${ids[0]}` };
}

/** Servers add a tag to a name that is asked for without one. */
const isNamed = (id: string, wanted: string) => id === wanted || id.startsWith(`${wanted}:`);
