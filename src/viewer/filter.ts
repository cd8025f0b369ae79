import type { Entry } from "./library.ts";

/** What a list is narrowed to; an empty text narrows nothing. */
export interface Filter {
  readonly status: string;
  readonly arm: string;
  readonly model: string;
  readonly instance: string;
  /** Words that stand anywhere in a row, all of them. */
  readonly text: string;
}

export const noFilter: Filter = { status: "", arm: "", model: "", instance: "", text: "" };

/** A filter from the parameters of an address; unknown ones do not matter. */
export function filterFrom(parameters: URLSearchParams): Filter {
  const of = (name: string) => (parameters.get(name) ?? "").trim();
  return {
    status: of("status"),
    arm: of("arm"),
    model: of("model"),
    instance: of("instance"),
    text: of("text"),
  };
}

export function matching(entries: readonly Entry[], filter: Filter): readonly Entry[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const isAt = (wanted: string, value: string | null) => wanted === "" || wanted === (value ?? "");
  return entries.filter((entry) => {
    const { status, arm, model, instanceId, title, key, file } = entry;
    const all = [title, key, file, status, arm, model, instanceId].join(" ").toLowerCase();
    return (
      isAt(filter.status, status) &&
      isAt(filter.arm, arm) &&
      isAt(filter.model, model) &&
      isAt(filter.instance, instanceId) &&
      words.every((word) => all.includes(word))
    );
  });
}

/** The values that a column has, in order, for a choice. */
export function valuesOf(
  entries: readonly Entry[],
  column: "status" | "arm" | "model" | "instanceId",
): readonly string[] {
  const values = new Set(entries.flatMap((entry) => entry[column] ?? []));
  return [...values].sort();
}
