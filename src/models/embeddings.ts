import { z } from "zod";
import type { EmbedderConfig } from "../domain/config/swe-exp-memory.ts";
import type { Embedder, EmbeddingRole } from "../domain/embedder.ts";
import type { AdapterOptions } from "./adapter-options.ts";
import { BrokenReply, judgeFailure } from "./failure.ts";
import { clientFor } from "./openai.ts";
import { withRetries } from "./retry.ts";

const Vectors = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()).min(1) })),
});

type Settings = Pick<EmbedderConfig, "queryPrefix" | "maxChars">;

/** Any server that speaks OpenAI's embeddings: OpenAI, vLLM, Ollama, llama.cpp, TEI. */
export function openaiEmbedder(
  options: Omit<AdapterOptions, "price">,
  { queryPrefix, maxChars }: Settings,
): Embedder {
  const { endpoint, config, clock } = options;
  const client = clientFor(options);
  const textFor = (text: string, role: EmbeddingRole) =>
    `${role === "query" ? queryPrefix : ""}${text.slice(0, maxChars)}`;

  const attempt = async (input: readonly string[], signal: AbortSignal) => {
    const { model } = endpoint;
    const found = await client.embeddings.create(
      { model, input: [...input], encoding_format: "float" },
      { signal },
    );
    return vectorsOf(found, input.length);
  };

  return {
    name: endpoint.name,
    embed: async (texts, role, signal) => {
      if (texts.length === 0) return [];
      const input = texts.map((text) => textFor(text, role));
      return withRetries((own) => attempt(input, own), {
        name: endpoint.name,
        policy: config,
        clock,
        signal,
        onRetry: () => {},
        judge: (error) => judgeFailure(error, endpoint, clock.now()),
      });
    },
  };
}

/** In the order asked, each of length 1. Throws `BrokenReply` when they are not what was asked for. */
function vectorsOf(answer: unknown, count: number): readonly (readonly number[])[] {
  const { data, success } = Vectors.safeParse(answer);
  if (!success) throw new BrokenReply("the server sent something that is no list of embeddings");
  const ordered = data.data.toSorted((a, b) => a.index - b.index);
  const asked = ordered.length === count && ordered.every(({ index }, n) => index === n);
  if (!asked) {
    throw new BrokenReply(`the server sent ${ordered.length} embeddings for ${count} texts`);
  }
  const vectors = ordered.map(({ embedding }) => unit(embedding));
  if (new Set(vectors.map(({ length }) => length)).size > 1) {
    throw new BrokenReply("the server sent embeddings of several lengths");
  }
  return vectors;
}

function unit(vector: readonly number[]): readonly number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
