import type { Secret } from "./secrets.ts";

interface Shape {
  readonly name: string;
  readonly pattern: string;
  /** What a match must be besides; else it stays as it is. */
  readonly holds?: (match: string) => boolean;
}

const hasDigit = (text: string) => /\d/.test(text);

/** A random part, which a class name such as sk-toggleable__content has not. */
function hasRandomRun(text: string): boolean {
  return text.split(/[-_]/).some((run) => run.length >= 12 && hasDigit(run));
}

const keyBody = "[\\w+/=\\s\\\\:,.-]*";
const keyEnd = "-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----";

/**
 * Secrets known by how they look, as their issuers document them. A pattern takes what it reads or
 * fails within a bounded number of characters, so that any text is read in linear time.
 */
const shapes: readonly Shape[] = [
  {
    name: "private-key",
    // Up to the dashes that come next, or to whatever cut the key short.
    pattern: `-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:${keyBody}?(?=-----)(?:${keyEnd})?|${keyBody})`,
  },
  { name: "anthropic-key", pattern: "sk-ant-[\\w-]{8,}" },
  { name: "api-key", pattern: "sk-[\\w-]{16,}", holds: hasRandomRun },
  { name: "stripe-key", pattern: "[rs]k_(?:live|test)_[A-Za-z0-9]{16,}" },
  { name: "github-token", pattern: "gh[oprsu]_[A-Za-z0-9]{20,}|github_pat_\\w{20,}" },
  { name: "gitlab-token", pattern: "glpat-[\\w-]{20,}" },
  { name: "hugging-face-token", pattern: "hf_[A-Za-z0-9]{30,}" },
  { name: "npm-token", pattern: "npm_[A-Za-z0-9]{36,}" },
  { name: "aws-key-id", pattern: "A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])" },
  { name: "slack-token", pattern: "xox[a-z]-[A-Za-z0-9-]{10,}", holds: hasDigit },
  { name: "google-key", pattern: "AIza[\\w-]{30,}" },
  { name: "pypi-token", pattern: "pypi-[\\w-]{16,}", holds: hasDigit },
  { name: "jwt", pattern: "eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]{8,}" },
  {
    name: "bearer",
    pattern: "(?<=[Bb](?:earer|EARER)[ \\t]{1,8})[\\w.~+/-]{16,}=*",
    holds: hasDigit,
  },
  { name: "url-password", pattern: "(?<=://[^\\s/@:]{1,64}:)[^\\s/@[]{3,200}(?=@)" },
  {
    name: "basic",
    pattern:
      "(?<=[Aa]uthorization[\"']{0,2}[:=][\"' \\t]{0,4}[Bb]asic[ \\t]{1,4})[A-Za-z0-9+/]{8,400}={0,2}",
  },
  {
    name: "aws-secret",
    pattern:
      "(?<=(?:SECRET|secret)_?(?:ACCESS|access)?_?(?:KEY|key)[\"' ]{0,3}[:=][\"' ]{0,3})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])",
  },
];

/** None begins within a word ("task-…" is no key), but one may after an escape such as \\n. */
const start = "(?<!(?<!\\\\)[A-Za-z0-9])";
const anyShape = new RegExp(
  `${start}(?:${shapes.map(({ pattern }) => `(${pattern})`).join("|")})`,
  "g",
);

const markOf = (name: string) => `[redacted:${name}]`;

/** Whether something was redacted in a text, so that it is no longer the text it was. */
export const isRedacted = (text: string): boolean => text.includes(markOf("").slice(0, -1));

function withoutShapes(text: string): string {
  return text.replace(anyShape, (match: string, ...groups: unknown[]) => {
    const shape = shapes[groups.findIndex((group) => group !== undefined)];
    return shape === undefined || shape.holds?.(match) === false ? match : markOf(shape.name);
  });
}

/** How a value may be written: as it is, inside a JSON string, inside an address. */
function writings(value: string): readonly string[] {
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.replace(/\p{Cs}/gu, "\ufffd")),
  ];
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** Replaces values that are known, the longest first where one holds another. */
function knownValues(secrets: readonly Secret[]): (text: string) => string {
  if (secrets.length === 0) return (text) => text;
  const marks = new Map<string, string>();
  // A mark that stands there already is found first and stays.
  for (const { name } of [...secrets, ...shapes]) marks.set(markOf(name), markOf(name));
  for (const { name, value } of secrets) {
    for (const written of writings(value)) {
      if (!marks.has(written)) marks.set(written, markOf(name));
    }
  }
  const longestFirst = [...marks.keys()].toSorted((a, b) => b.length - a.length);
  const any = new RegExp(longestFirst.map(escaped).join("|"), "g");
  return (text) => text.replace(any, (match) => marks.get(match) ?? match);
}

/** Redacts a text one way or the other. */
type Rule = (text: string) => string;

interface Rules {
  readonly all: Rule;
  /** For what a provider signed: its own bytes may look like anything. */
  readonly known: Rule;
}

function rulesFor(secrets: readonly Secret[]): Rules {
  const known = knownValues(secrets);
  return { known, all: (text) => withoutShapes(known(text)) };
}

/** A provider's block that is plain speech, and no thinking or another kind that may be signed. */
function isPlain(block: unknown): boolean {
  const type = (block as { type?: unknown } | null)?.type;
  return type === "text" || type === "tool_use";
}

function walk(value: unknown, rule: Rule, rules: Rules): unknown {
  if (typeof value === "string") return rule(value);
  if (Array.isArray(value)) return value.map((item) => walk(item, rule, rules));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]): readonly [string, unknown] => [
    key,
    key === "native" ? walkNative(item, rules) : walk(item, rule, rules),
  ]);
  return Object.fromEntries(entries);
}

/** `native` of an AssistantMessage: its blocks go back to the provider. */
function walkNative(native: unknown, rules: Rules): unknown {
  const blocks = (native as { blocks?: unknown } | null)?.blocks;
  if (!Array.isArray(blocks)) return walk(native, rules.all, rules);
  const walked = blocks.map((block) =>
    walk(block, isPlain(block) ? rules.all : rules.known, rules),
  );
  return { ...(native as object), blocks: walked };
}

/**
 * `text` with every secret replaced by `[redacted:NAME]`: the values of `secrets`, and whatever has
 * the shape of a key. Redacting twice is redacting once. Takes time linear in the text's length.
 */
export function redact(text: string, secrets: readonly Secret[]): string {
  return rulesFor(secrets).all(text);
}

/** Takes secrets out of a value of plain data. */
export type Redact = <T>(value: T) => T;

/**
 * Redacts JSON values, every text in them; keys stay. Thinking and other signed blocks of a
 * message's `native` stay deep-equal unless a value of `secrets` stands in them, since the provider
 * refuses blocks that were changed.
 */
export function redactorOf(secrets: readonly Secret[]): Redact {
  const rules = rulesFor(secrets);
  return <T>(value: T): T => walk(value, rules.all, rules) as T;
}

/** One JSON value, redacted. */
export function redactValue<T>(value: T, secrets: readonly Secret[]): T {
  return redactorOf(secrets)(value);
}
