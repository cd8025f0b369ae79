import type { Model } from "../../src/domain/model.ts";
import type { AdapterOptions } from "../../src/models/adapter-options.ts";
import { anthropicModel } from "../../src/models/anthropic.ts";
import { openaiModel } from "../../src/models/openai.ts";
import { optionsFor } from "../models/adapter-setup.ts";
import * as anthropic from "./anthropic-server.ts";
import * as openai from "./openai-server.ts";
import type { Loopback } from "./server.ts";

/** A turn of a model as a test writes it, in the terms of both APIs. */
export interface ScriptedTurn {
  readonly text: string;
  readonly thinking?: string;
  readonly commands?: readonly string[];
  /** Arguments of a further call as the model wrote them, which may be no JSON. */
  readonly raw?: string;
  readonly stop?: "limit" | "refusal";
}

/** A reply as it goes over the wire. */
export interface Spoken {
  readonly lines: readonly string[];
  /** So many of them come before the one that says why the reply stopped. */
  readonly untilStop: number;
}

export interface Api {
  readonly name: "anthropic" | "openai";
  serve(options?: { readonly forgetful: boolean }): Promise<Loopback>;
  open(server: Loopback, options: Partial<AdapterOptions>, config: object): Model;
  /** `at`: the turn's number, which makes its ids and its usage its own. */
  say(turn: ScriptedTurn, at: number): Spoken;
  /** An overload, told within a reply that began well. */
  readonly overload: string;
}

const argumentsOf = ({ commands = [], raw }: ScriptedTurn): readonly string[] => [
  ...commands.map((command) => JSON.stringify({ command })),
  ...(raw === undefined ? [] : [raw]),
];

function anthropicLines(turn: ScriptedTurn, at: number): Spoken {
  const { text, thinking, stop } = turn;
  const uses = argumentsOf(turn).map((raw, n) => anthropic.toolUse(`toolu_${at}_${n}`, raw));
  const thought = [
    { type: "thinking", thinking, signature: `S${at}` },
    { type: "redacted_thinking", data: `D${at}` },
  ];
  const stopped = { limit: "max_tokens", refusal: "refusal" } as const;
  const lines = anthropic.linesOf({
    blocks: [
      ...(thinking === undefined ? [] : thought),
      ...(text === "" ? [] : [{ type: "text", text }]),
      ...uses,
    ],
    stop: stop ? stopped[stop] : uses.length > 0 ? "tool_use" : "end_turn",
    usage: { output_tokens: 100 + at },
  });
  return { lines, untilStop: lines.length - 2 };
}

function openaiLines(turn: ScriptedTurn, at: number): Spoken {
  const { text, thinking, stop } = turn;
  const calls = argumentsOf(turn).map((raw, n) => {
    return { id: `call-${at}-${n}`, name: "bash", arguments: raw };
  });
  const stopped = { limit: "length", refusal: "content_filter" } as const;
  const lines = openai.linesOf({
    content: text,
    calls,
    ...(thinking === undefined ? {} : { fields: { reasoning_content: thinking } }),
    finish: stop ? stopped[stop] : calls.length > 0 ? "tool_calls" : "stop",
    usage: { prompt_tokens: 1000 * at, completion_tokens: 100 + at },
  });
  return { lines, untilStop: lines.length - 3 };
}

export const apis: readonly Api[] = [
  {
    name: "anthropic",
    serve: anthropic.anthropicServer,
    open: ({ url }, options, config) =>
      anthropicModel({ ...optionsFor("anthropic", url, config), ...options }),
    say: anthropicLines,
    overload: anthropic.errorLine("overloaded_error", "Overloaded"),
  },
  {
    name: "openai",
    serve: openai.openaiServer,
    open: ({ url }, options, config) =>
      openaiModel({ ...optionsFor("openai", `${url}/v1`, config), ...options }),
    say: openaiLines,
    overload: 'data: {"error": {"message": "Overloaded", "code": 503}}',
  },
];
