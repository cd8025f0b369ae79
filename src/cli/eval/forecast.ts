import { dollars, plural } from "../../domain/quantities.ts";
import type { EpisodeJob } from "../../eval/experiment/expand.ts";
import { type Forecast, forecastOf, isFree } from "../../eval/experiment/forecast.ts";
import { priceOfModel } from "../../models/open-model.ts";
import { table } from "../text-table.ts";
import type { ExperimentPlan } from "./plan.ts";

type Planned = Pick<ExperimentPlan, "experiment" | "arms">;

/** What jobs are expected to cost, where `spent` is gone already. */
export function forecastFor(
  jobs: readonly EpisodeJob[],
  { experiment, arms }: Planned,
  spent: number,
): Forecast {
  const known = [...arms].map(([name, { config }]) => ({
    name,
    price: priceOfModel(config.model),
    isAdvised: config.injection.on && (config.planner.on || config.memory.on),
  }));
  const wanted = known.filter(({ name }) => jobs.some(({ arm }) => arm === name));
  const { perRunUsd, totalUsd } = experiment.caps;
  return forecastOf(jobs, wanted, { perRunUsd, totalUsd: Math.max(0, totalUsd - spent) });
}

type Range = Forecast["total"];

const range = (cost: Range) =>
  cost === null
    ? "unknown"
    : cost.high === 0
      ? "free"
      : `${dollars(cost.expected)} (${dollars(cost.low)} to ${dollars(cost.high)})`;

/** The forecast as people read it. */
export function forecastLines(forecast: Forecast, { experiment }: Planned): readonly string[] {
  const { rows, total, atMost } = forecast;
  const episodes = rows.reduce((sum, row) => sum + row.episodes, 0);
  if (episodes === 0) return [`${experiment.name}: no episode is left to run`];
  const body = rows.map(({ arm, episodes: n, perEpisode, total: all }) => [
    arm,
    String(n),
    range(perEpisode),
    range(all),
  ]);
  const { perRunUsd, totalUsd } = experiment.caps;
  const bound = isFree(forecast)
    ? []
    : [
        `It spends at most ${dollars(atMost)} more: caps.totalUsd is ${dollars(totalUsd)} for all starts together, caps.perRunUsd ${dollars(perRunUsd)}.`,
      ];
  return [
    `${experiment.name}: ${plural(episodes, "episode")} to run`,
    ...table(
      ["arm", "episodes", "an episode", "together"],
      [...body, ...(rows.length > 1 ? [["all", String(episodes), "", range(total)]] : [])],
    ),
    ...bound,
  ];
}
