import { benchEpisode } from "./bench-episode.ts";
import type { Benchmark } from "./figure.ts";

/** Share of consecutive requests whose messages begin with all messages of the one before. */
export const prefix: Benchmark = async () => {
  const { model } = await benchEpisode(
    Array.from({ length: 100 }, (_, n) => `echo ${n}; exit ${n % 3}`),
  );
  // The planner's own call is another conversation.
  const requests = model.requests.filter(({ purpose }) => purpose === "act");
  const pairs = requests.slice(1).map((request, index) => {
    const earlier = requests[index]?.messages ?? [];
    return JSON.stringify(request.messages.slice(0, earlier.length)) === JSON.stringify(earlier);
  });
  const value = pairs.filter(Boolean).length / pairs.length;
  const figure = { figure: "prefix", value, unit: "share", n: pairs.length };
  return [{ ...figure, peer: null, ratio: null, goal: "1.0", met: value === 1 }];
};
