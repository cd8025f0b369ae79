import { costOf, type Model } from "../../domain/model.ts";

/** What a model was asked for. */
interface Spent {
  readonly calls: number;
  /** US dollars; null: the price is not known. */
  readonly cost: number | null;
  readonly tokens: { readonly input: number; readonly cached: number; readonly output: number };
}

export interface Metered {
  readonly model: Model;
  /** By now, in replies that came whole. */
  readonly spent: () => Spent;
}

/** `model`, counted, whoever asks it and whether or not the work succeeds. */
export function metered(model: Model): Metered {
  const { price } = model;
  let calls = 0;
  let cost = price && 0;
  const tokens = { input: 0, cached: 0, output: 0 };
  return {
    spent: () => ({ calls, cost, tokens: { ...tokens } }),
    model: {
      ...model,
      complete: async (request, options) => {
        const reply = await model.complete(request, options);
        const { usage } = reply;
        calls += 1;
        cost = price && (cost ?? 0) + costOf(usage, price);
        tokens.input += usage.input;
        tokens.cached += usage.cached;
        tokens.output += usage.output;
        return reply;
      },
    },
  };
}
