import { locate, type Place } from "./meaning.ts";
import type { Redirect } from "./script.ts";
import { shortHash } from "./short-hash.ts";
import type { Connector } from "./tokens.ts";
import { type Bindings, expandWord, type Word } from "./words.ts";

const needsQuotes = /[\s|&;<>(){}[\]$`\\"'*?#~!]/;

/** A word as an action shows it: bare where that is safe, else in double quotes. */
function quote(text: string): string {
  if (text !== "" && !needsQuotes.test(text)) return text;
  return `"${text.replace(/["`]|\\(?=["`$\\]|$)/g, "\\$&")}"`;
}

/** A path word spelled relative to the root, its `::test` kept. */
function pathText(place: Place, word: Word): string {
  const [file = "", ...rest] = word.text.split("::");
  const isOpen = word.values.length !== 1;
  const path = isOpen ? undefined : locate(place, { text: file, values: [file] }).paths[0];
  return [path ?? file, ...rest].join("::");
}

export interface Rendered {
  readonly words: readonly Word[];
  /** Places of the words that are paths. */
  readonly paths: readonly number[];
  readonly redirects: readonly Redirect[];
}

/** One segment's part of the action: words, then redirects, here-documents last and hashed. */
export function renderSegment(
  { words, paths, redirects }: Rendered,
  place: Place,
  bindings: Bindings,
): string {
  const isPath = new Set(paths);
  const shown = words.map((word, i) => quote(isPath.has(i) ? pathText(place, word) : word.text));
  const files = redirects.flatMap(({ heredoc, descriptor, operator, raw }) => {
    const target = expandWord(raw, bindings);
    if (heredoc || isNoise(operator, target.text)) return [];
    const isText = operator === "<<<";
    const text = quote(isText ? target.text : pathText(place, target));
    return [`${descriptor ?? ""}${operator} ${text}`];
  });
  const bodies = redirects.flatMap(({ heredoc }) =>
    heredoc ? [`<<${shortHash(heredoc.body)}>>`] : [],
  );
  return [...shown, ...files, ...bodies].join(" ");
}

/** Redirects that change nothing about what is done: to nowhere, or from one stream to another. */
function isNoise(operator: string, target: string): boolean {
  return target === "/dev/null" || (/[<>]&$/.test(operator) && /^(?:\d+|-)$/.test(target));
}

/** What joining needs of a segment. */
export interface Part {
  readonly connector: Connector;
  readonly text: string;
  /** `silent`: it does nothing worth counting; `prints`: only worth counting when it feeds another. */
  readonly role: "shown" | "silent" | "prints";
}

const limiter = /^(?:(?:head|tail)(?: -\d+| -n ?[+-]?\d+| --lines[= ]\d+)?|cat)$/;

/** Characters of an action; a longer one ends in the hash of the whole. Our choice. */
const maxAction = 2000;

/**
 * The action string: parts joined by their operators, without the filters that only cut what a
 * pipeline prints. null when nothing is left.
 */
export function joinParts(parts: readonly Part[]): string | null {
  let text = "";
  for (const pipeline of pipelines(parts)) {
    const connector = pipeline[0]?.connector ?? ";";
    const joined = withoutLimiters(pipeline).join(" | ");
    if (joined === "") continue;
    text += text === "" ? joined : `${connector === ";" ? "" : " "}${connector} ${joined}`;
  }
  if (text === "") return null;
  return text.length <= maxAction ? text : `${text.slice(0, maxAction - 10)}… ${shortHash(text)}`;
}

function withoutLimiters(pipeline: readonly Part[]): readonly string[] {
  const last = pipeline.findLastIndex(
    ({ role, text }, at) => role === "shown" && (at === 0 || !limiter.test(text)),
  );
  return pipeline.slice(0, last + 1).flatMap(({ role, text }) => (role === "silent" ? [] : [text]));
}

function pipelines(parts: readonly Part[]): Part[][] {
  const out: Part[][] = [];
  for (const part of parts) {
    const current = out.at(-1);
    if (part.connector === "|" && current) current.push(part);
    else out.push([part]);
  }
  return out;
}
