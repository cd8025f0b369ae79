import { PmcoderError } from "../../domain/errors.ts";
import { binomialCdf, binomialPoints, normalCdf, normalQuantile } from "./tails.ts";

/** How sure one wants to be. */
export interface PowerGoal {
  /** The chance to find an effect that is there. */
  readonly power: number;
  /** Two-sided: the chance to find one that is not. */
  readonly alpha: number;
}

/** The usual ones. */
const powerGoal: PowerGoal = { power: 0.8, alpha: 0.05 };

/** Shares of instances that differ in one run of each arm. Their difference is the effect. */
export interface DiscordantShares {
  readonly won: number;
  readonly lost: number;
}

/**
 * Power of the exact McNemar's test on one run of each arm over N `instances`:
 * Σₘ P(m of N differ)·P(p < α | m), m binomial with ψ = won + lost, and of these m so many won as
 * binomial with won / ψ. It need not grow with every instance: p takes few values.
 */
export function mcnemarPower(
  shares: DiscordantShares,
  instances: number,
  { alpha }: Pick<PowerGoal, "alpha"> = powerGoal,
): number {
  const { discordant } = parts(shares);
  if (discordant === 0) return 0;
  const share = shares.won / (shares.won + shares.lost);
  let power = 0;
  // The fewest of either side with which p is not below α; more that differ never make it less.
  let fewest = 0;
  for (const [differ, chance] of binomialPoints(instances, discordant).entries()) {
    if (chance < negligible) continue;
    while (2 * binomialCdf(fewest, differ, 0.5) < alpha) fewest += 1;
    const fewWon = binomialCdf(fewest - 1, differ, share);
    const fewLost = binomialCdf(fewest - 1, differ, 1 - share);
    power += chance * (fewWon + fewLost);
  }
  return power;
}

/** A chance that changes no digit that is printed, whatever happens then. */
const negligible = 1e-12;

/**
 * Instances that McNemar's test needs, one run of each arm, nearly:
 * N = ((z·√ψ + z′·√(ψ − δ²)) / δ)², δ = won − lost, z the 1 − α/2 quantile and z′ that of the power
 * wanted (Connor, Biometrics 43, 1987). It is the uncorrected test's; the exact one needs some more.
 * null: there is no effect.
 */
export function mcnemarInstances(
  shares: DiscordantShares,
  { power, alpha }: PowerGoal = powerGoal,
): number | null {
  const { effect, discordant, spread } = parts(shares);
  if (effect === 0) return null;
  const distance =
    normalQuantile(1 - alpha / 2) * Math.sqrt(discordant) + normalQuantile(power) * spread;
  return Math.ceil((distance / effect) ** 2);
}

/**
 * The smallest true effect that is found with the power wanted, in the unit of the standard error
 * of a bootstrap: (z + z′)·SE, 2.80·SE by default. With the paper's 5.46 that is 15.3 instances.
 */
export function detectableEffect(standardError: number, goal: PowerGoal = powerGoal): number {
  return reach(goal) * standardError;
}

/** The chance to find an effect, given the standard error of a bootstrap: Φ(|effect| / SE − z). */
export function bootstrapPower(
  effect: number,
  standardError: number,
  { alpha }: Pick<PowerGoal, "alpha"> = powerGoal,
): number {
  return normalCdf(Math.abs(effect) / standardError - normalQuantile(1 - alpha / 2));
}

/** Where the variance of a difference comes from, for one instance. */
export interface VarianceComponents {
  /** Of the true effect, between instances: only more instances help. */
  readonly between: number;
  /** Between runs, both arms together: more seeds help as well. */
  readonly within: number;
}

/** SE² = (between + within / S) / N for N instances with S seeds in each arm. */
export function standardErrorOf(
  { between, within }: VarianceComponents,
  { instances, seeds }: { readonly instances: number; readonly seeds: number },
): number {
  return Math.sqrt((between + within / seeds) / instances);
}

/** N = (z + z′)²·(between + within / S) / effect². null: there is no effect. */
export function instancesNeeded(
  components: VarianceComponents,
  { effect, seeds }: { readonly effect: number; readonly seeds: number },
  goal: PowerGoal = powerGoal,
): number | null {
  if (effect === 0) return null;
  const alone = standardErrorOf(components, { instances: 1, seeds });
  return Math.ceil(((reach(goal) * alone) / effect) ** 2);
}

/**
 * S = within / (N·effect² / (z + z′)² − between). null: however many seeds, these instances are too
 * few.
 */
export function seedsNeeded(
  { between, within }: VarianceComponents,
  { effect, instances }: { readonly effect: number; readonly instances: number },
  goal: PowerGoal = powerGoal,
): number | null {
  const room = instances * (effect / reach(goal)) ** 2 - between;
  return room <= 0 ? null : Math.max(1, Math.ceil(within / room));
}

/** z of the test and z′ of the power, added. */
function reach({ power, alpha }: PowerGoal): number {
  return normalQuantile(1 - alpha / 2) + normalQuantile(power);
}

function parts({ won, lost }: DiscordantShares) {
  // Means of shares that make one together may miss it by rounding.
  if (!(won >= 0 && lost >= 0 && won + lost <= 1 + 1e-9)) {
    throw new PmcoderError(
      "usage",
      `Shares of instances won and lost lie between 0 and 1, and together too, but these are ${won} and ${lost}.`,
    );
  }
  const effect = Math.abs(won - lost);
  const discordant = Math.min(1, won + lost);
  return { effect, discordant, spread: Math.sqrt(Math.max(0, discordant - effect ** 2)) };
}
