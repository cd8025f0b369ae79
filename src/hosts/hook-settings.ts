import { PmcoderError } from "../domain/errors.ts";
import { objectIn, type ToolInput } from "./tool-input.ts";

/** Events that we need, of all that these hosts tell. */
const events = ["SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure"] as const;

/** Seconds after which a host ends a hook; ours ends itself long before. */
const timeout = 5;

interface Settings {
  readonly value: ToolInput;
  readonly indent: string | number;
}

/**
 * The text of a settings file with our hooks in it, in place of older ones of ours; the rest of it
 * stays. null: there is no file yet. `command`: what the host runs. Throws PmcoderError `usage` for a
 * text that is no plain JSON object, or that holds comments, which would be lost.
 */
export function withHooks(text: string | null, command: string, file: string): string {
  const { value, indent } = readSettings(text ?? "{}", file);
  const hooks = { ...hooksWithoutOurs(value, hostOf(command), file) };
  for (const event of events) {
    const ours = { matcher: "*", hooks: [{ type: "command", command, timeout }] };
    const others = hooks[event] ?? [];
    if (!Array.isArray(others)) throw strange(file, `hooks.${event} is no list`);
    hooks[event] = [...others, event.startsWith("Post") ? ours : { hooks: ours.hooks }];
  }
  return `${JSON.stringify({ ...value, hooks }, null, indent)}\n`;
}

/** The text without our hooks; null when nothing would be left. Throws as `withHooks` does. */
export function withoutHooks(text: string, host: string, file: string): string | null {
  const { value, indent } = readSettings(text, file);
  const left = hooksWithoutOurs(value, host, file);
  const { hooks: _, ...others } = value;
  const next = Object.keys(left).length === 0 ? others : { ...value, hooks: left };
  return Object.keys(next).length === 0 ? null : `${JSON.stringify(next, null, indent)}\n`;
}

/** Whether our hooks for a host stand in a text, which may be no JSON. */
export function hasHooks(text: string, host: string): boolean {
  return new RegExp(` hook ${host}"`).test(text);
}

const hostOf = (command: string) => command.slice(command.lastIndexOf(" ") + 1);

function readSettings(text: string, file: string): Settings {
  const indent = /^\s*\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? 2;
  let value: ToolInput | null;
  try {
    value = objectIn(JSON.parse(text.replace(/^\uFEFF/, "")));
  } catch (cause) {
    const why = holdsComments(text)
      ? "holds comments, which would be lost"
      : `is no JSON: ${cause instanceof Error ? cause.message : cause}`;
    const message = `${file} ${why}. Nothing was changed; add the hooks by hand as docs/hosts.md shows.`;
    throw new PmcoderError("usage", message, { cause });
  }
  if (value !== null) return { value, indent };
  throw new PmcoderError("usage", `${file} holds no JSON object. Nothing was changed.`);
}

/** A comment outside of strings. */
function holdsComments(text: string): boolean {
  return /\/\/|\/\*/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '""'));
}

/** What the file holds under `hooks`, ours left out, and what is empty then. */
function hooksWithoutOurs(
  { hooks }: ToolInput,
  host: string,
  file: string,
): Record<string, unknown> {
  if (hooks === undefined) return {};
  const given = objectIn(hooks);
  if (given === null) throw strange(file, "hooks is no object");
  const left: Record<string, unknown> = {};
  for (const [event, entries] of Object.entries(given)) {
    const listed = Array.isArray(entries) ? entries : null;
    const kept = listed?.flatMap((entry: unknown) => entryWithoutOurs(entry, host));
    if (listed?.length === 0 || kept?.length !== 0) left[event] = kept ?? entries;
  }
  return left;
}

function entryWithoutOurs(entry: unknown, host: string): readonly unknown[] {
  const fields = objectIn(entry);
  const listed = fields?.["hooks"];
  if (fields === null || !Array.isArray(listed)) return [entry];
  const kept = listed.filter((hook: unknown) => !isOurs(hook, host));
  if (kept.length === listed.length) return [entry];
  return kept.length === 0 ? [] : [{ ...fields, hooks: kept }];
}

function isOurs(hook: unknown, host: string): boolean {
  const command = objectIn(hook)?.["command"];
  return typeof command === "string" && command.endsWith(` hook ${host}`);
}

function strange(file: string, what: string): PmcoderError {
  return new PmcoderError(
    "usage",
    `${file}: ${what}, where a host's settings have one. Nothing was changed.`,
  );
}
