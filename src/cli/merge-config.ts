import { z } from "zod";
import { RunConfig } from "../domain/config/run-config.ts";
import { PmcoderError } from "../domain/errors.ts";
import { editDistance, nearest } from "../domain/nearest.ts";
import { configFields, placeOf } from "./config-fields.ts";
import type { Setting } from "./settings.ts";

/** A checked setting: what the configuration holds at `path`. */
interface Settled {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly source: string;
}

export interface ResolvedConfig {
  readonly config: RunConfig;
  /** Where each value that is not the default comes from, by dotted path. */
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * The defaults with the settings laid over them, left to right. Throws one PmcoderError `usage`
 * that names every unknown key (with the nearest known one) and every wrong value.
 */
export function mergeConfig(settings: readonly Setting[]): ResolvedConfig {
  const settled = settings.flatMap(settle);
  const faults = settled.filter((one) => typeof one === "string");
  if (faults.length > 0) throw new PmcoderError("usage", faults.join("\n"));
  const sources = new Map<string, string>();
  const tree: Record<string, unknown> = RunConfig.parse({});
  for (const one of settled) {
    if (typeof one === "string") continue;
    put(tree, one.path, one.value);
    sources.set(one.path.join("."), one.source);
  }
  const result = RunConfig.safeParse(tree);
  if (!result.success) throw new PmcoderError("usage", z.prettifyError(result.error));
  return { config: result.data, sources };
}

/**
 * What a setting means, or what is wrong with it as a sentence. A group without a value sets
 * nothing; `model` with a name stands for `model.name`.
 */
export function settle(setting: Setting): readonly (Settled | string)[] {
  const { path, value, source } = setting;
  if (path.length === 1 && path[0] === "model" && typeof value === "string") {
    return settle({ ...setting, path: ["model", "name"] });
  }
  const place = placeOf(path);
  const key = path.join(".");
  if (place.kind === "unknown") return [`${source}: unknown key ${key}${suggestion(key)}`];
  if (place.kind === "group") {
    if (value === null || isEmptyMapping(value)) return [];
    return [`${source}: ${key} must be a group of keys${list(place.keys)}, found ${show(value)}.`];
  }
  if (place.rest.length > 0) {
    const known = path.slice(0, -place.rest.length).join(".");
    return [`${source}: ${known} must be ${expectation(place.schema, {})}, found a mapping.`];
  }
  const accepted = accept(place.schema, setting);
  if (accepted) return [{ path, value: accepted.value, source }];
  return [`${source}: ${key} must be ${expectation(place.schema, value)}, found ${show(value)}.`];
}

/** The value as the schema takes it: as parsed, or as written when only text is right. */
function accept(schema: z.core.$ZodType, { value, written }: Setting): { value: unknown } | null {
  if (z.safeParse(schema, value).success) return { value };
  if (written !== undefined && z.safeParse(schema, written).success) return { value: written };
  return null;
}

function put(tree: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) tree[key] = value;
  else put(tree[key] as Record<string, unknown>, rest, value);
}

const plain = (key: string) => key.toLowerCase().replaceAll("_", "");
const lastOf = (key: string) => key.slice(key.lastIndexOf(".") + 1);

/** A right name in a wrong group is as near as one typing error. */
function keyDistance(word: string, key: string): number {
  const whole = editDistance(plain(word), plain(key));
  return Math.min(whole, 1 + editDistance(plain(lastOf(word)), plain(lastOf(key))));
}

function suggestion(key: string): string {
  const known = configFields.map(({ path }) => path.join("."));
  const within = Math.max(2, Math.floor(lastOf(key).length / 3));
  const [best] = nearest(key, known, { count: 1, within, distance: keyDistance });
  return best ? `; did you mean ${best}?` : "; `pmcoder config` lists every key.";
}

const kinds: Record<string, string> = {
  int: "a whole number",
  number: "a number",
  string: "text",
  boolean: "true or false",
};

/** What the schema wants instead of `value`, such as "a number or null". */
function expectation(schema: z.core.$ZodType, value: unknown): string {
  const [issue] = z.safeParse(schema, value).error?.issues ?? [];
  const wanted = issue ? wantedBy(issue) : "another value";
  return z.safeParse(schema, null).success ? `${wanted} or null` : wanted;
}

function wantedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return kinds[issue.expected] ?? issue.expected;
    case "invalid_value":
      return issue.values.map(String).join(", ");
    case "too_small":
      if (issue.origin === "string") return "text that is not empty";
      return issue.inclusive ? `at least ${issue.minimum}` : `more than ${issue.minimum}`;
    case "too_big":
      return `at most ${issue.maximum}`;
    case "invalid_format":
      return issue.format === "url" ? "an http or https URL" : `text of the form ${issue.format}`;
    default:
      return issue.message;
  }
}

function isEmptyMapping(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

const list = (keys: readonly string[]) => (keys.length > 0 ? ` (${keys.join(", ")})` : "");

function show(value: unknown): string {
  if (typeof value === "object" && value !== null)
    return Array.isArray(value) ? "a list" : "a mapping";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
