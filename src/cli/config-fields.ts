import { z } from "zod";
import { RunConfig } from "../domain/config/run-config.ts";

type Schema = z.core.$ZodType;

/** One constant of the configuration. */
export interface ConfigField {
  readonly path: readonly string[];
  readonly description: string;
}

/** What a dotted path leads to: a group of constants, one constant, or past one into nothing. */
export type ConfigPlace =
  | { readonly kind: "group"; readonly keys: readonly string[] }
  | { readonly kind: "constant"; readonly schema: Schema; readonly rest: readonly string[] }
  | { readonly kind: "unknown" };

/** The schema without its default and `null`. */
function bare(schema: Schema): Schema {
  const wrapped =
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable;
  return wrapped ? bare(schema.unwrap()) : schema;
}

/** The schema of a key, or undefined if the group does not know it. */
function child(group: Schema, key: string): Schema | undefined {
  if (group instanceof z.ZodObject) {
    return Object.hasOwn(group.shape, key) ? group.shape[key] : undefined;
  }
  if (!(group instanceof z.ZodRecord) || key === "__proto__") return undefined;
  return z.safeParse(group.keyType, key).success ? group.valueType : undefined;
}

const isGroup = (schema: Schema) => schema instanceof z.ZodObject || schema instanceof z.ZodRecord;

/** Finds a path in the configuration's schema. Inherited names such as `__proto__` are unknown. */
export function placeOf(path: readonly string[]): ConfigPlace {
  let schema: Schema = RunConfig;
  for (const [depth, key] of path.entries()) {
    const group = bare(schema);
    if (!isGroup(group)) return { kind: "constant", schema, rest: path.slice(depth) };
    const next = child(group, key);
    if (next === undefined) return { kind: "unknown" };
    schema = next;
  }
  const end = bare(schema);
  if (!isGroup(end)) return { kind: "constant", schema, rest: [] };
  return { kind: "group", keys: end instanceof z.ZodObject ? Object.keys(end.shape) : [] };
}

function describe(schema: Schema): string {
  return z.globalRegistry.get(schema)?.description ?? "";
}

/** Every group and constant below a schema with its description, parents first. */
function walk(schema: Schema, path: readonly string[]): readonly ConfigField[] {
  const group = bare(schema);
  if (!(group instanceof z.ZodObject)) return [];
  return Object.entries<Schema>(group.shape).flatMap(([key, value]) => [
    { path: [...path, key], description: describe(value) },
    ...walk(value, [...path, key]),
  ]);
}

export const configFields: readonly ConfigField[] = walk(RunConfig, []);
