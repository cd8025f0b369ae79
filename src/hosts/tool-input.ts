/** What a host's tool was given, as its event tells. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** A JSON object, or null. */
export function objectIn(value: unknown): ToolInput | null {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as ToolInput) : null;
}

/** The text under the first of these names that holds one, else an empty text. */
export function textIn(input: ToolInput, ...names: readonly string[]): string {
  for (const name of names) {
    const value = input[name];
    if (typeof value === "string") return value;
  }
  return "";
}

/** The number under a name; null where there is none. */
export function numberIn(input: ToolInput, name: string): number | null {
  const value = input[name];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** The objects of a list under a name. */
export function objectsIn(input: ToolInput, name: string): readonly ToolInput[] {
  const value = input[name];
  if (!Array.isArray(value)) return [];
  return value.map(objectIn).filter((item) => item !== null);
}
