import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { PmcoderError } from "../../domain/errors.ts";
import { nearest } from "../../domain/nearest.ts";
import { Experiment, keysAt } from "./experiment.ts";
import { misplaced } from "./settings.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** A place in the file as `FILE:LINE`. */
type Where = (path: Path) => string;

/**
 * Reads an experiment file. Throws one PmcoderError `usage` that names everything wrong with it,
 * each by its line; for an unknown key with the nearest known one.
 */
export function parseExperiment(text: string, origin: string): Experiment {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error) {
    const { line } = lines.linePos(error.pos[0]);
    throw new PmcoderError("usage", `${origin}:${line} is not YAML: ${error.message}`);
  }
  const value: unknown = document.toJS();
  const where: Where = (path) => {
    const offset = offsetOf(document, path);
    return offset === null ? origin : `${origin}:${lines.linePos(offset).line}`;
  };
  const result = Experiment.safeParse(value);
  const faults = result.success
    ? misplacedIn(result.data, where)
    : result.error.issues.flatMap((issue) => sentences(issue, value, where));
  if (result.success && faults.length === 0) return result.data;
  throw new PmcoderError("usage", faults.join("\n"));
}

/** Where the nearest thing that the file has on the way to a path begins. */
function offsetOf(document: Document, path: Path): number | null {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return null;
}

function sentences(issue: Issue, value: unknown, where: Where): readonly string[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const whole = [...path, key];
      return `${where(whole)}: unknown key ${dotted(whole)}${suggestion(key, keysAt(path))}`;
    });
  }
  if (path.length === 0) {
    return [`${where(path)}: an experiment is a mapping with ${keysAt([]).join(", ")}.`];
  }
  const message = isThere(value, path) ? issue.message : "is missing";
  return [`${where(path)}: ${dotted(path)} ${message}.`];
}

function isThere(value: unknown, path: Path): boolean {
  const last = path.slice(0, -1).reduce<unknown>((inner, key) => Object(inner)[key], value);
  const [key = ""] = path.slice(-1);
  return Object.hasOwn(Object(last), key);
}

function suggestion(key: string, known: readonly string[]): string {
  const within = Math.max(2, Math.floor(key.length / 3));
  const [best] = nearest(key, known, { count: 1, within });
  return best === undefined ? `; known are ${known.join(", ")}.` : `; did you mean ${best}?`;
}

const dotted = (path: Path) => path.map(String).join(".");

function misplacedIn(experiment: Experiment, where: Where): readonly string[] {
  const own = experiment.arms.map(({ settings }, index) => ({
    path: ["arms", index, "settings"],
    found: misplaced(settings, "arm"),
  }));
  const all = { path: ["settings"], found: misplaced(experiment.settings, "all") };
  return [all, ...own].flatMap(({ path, found }) =>
    found.map((what) => `${where(path)}: ${dotted(path)}: ${what}.`),
  );
}
