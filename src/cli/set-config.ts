import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Document, isScalar, parseDocument } from "yaml";
import { PmcoderError } from "../domain/errors.ts";
import { readModelName, unknownModel } from "../models/open-model.ts";
import { readUserConfig, userConfigPath } from "./config-file.ts";
import type { Env } from "./env.ts";
import { mergeConfig, settle } from "./merge-config.ts";
import { settingsOfText, settingsOfYaml } from "./settings.ts";

/**
 * Sets one key in the user's file, keeping comments and order, and returns the file's path. The
 * whole new file is checked before it replaces the old one. Throws PmcoderError `usage` for a wrong
 * key or value, here or elsewhere in the file, and `storage` when the file cannot be written.
 */
export function setUserConfig(key: string, value: string, env: Env): string {
  const path = userConfigPath(env);
  if (path === null) {
    throw new PmcoderError("usage", "Set HOME or XDG_CONFIG_HOME: there is no place for the file.");
  }
  const text = withSetting(readUserConfig(path) ?? "", key, value);
  requireProvider(mergeConfig(settingsOfYaml(text, path)).config.model.name);
  try {
    mkdirSync(dirname(path), { recursive: true });
    replaceFile(path, text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PmcoderError("storage", `${path} cannot be written: ${reason}`, { cause });
  }
  return path;
}

function requireProvider(model: string | null): void {
  if (model === null || readModelName(model) !== null) return;
  const { message } = unknownModel(model);
  const example = "For example: pmcoder config set model anthropic:NAME";
  throw new PmcoderError("usage", `${message} Nothing was changed. ${example}`);
}

/** The text of a configuration file with one key set. */
export function withSetting(text: string, key: string, value: string): string {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw new PmcoderError("usage", `The configuration is not YAML: ${error.message}`);
  for (const one of settingsOfText(key, value, "config set").flatMap(settle)) {
    if (typeof one === "string") throw new PmcoderError("usage", one);
    document.setIn(openGroups(document, one.path), one.value);
  }
  return document.toString({ lineWidth: 0 });
}

/**
 * Makes way for a key below groups that the file left empty or, `model` alone, wrote as one name.
 * Returns the path to set, which is `model` itself while that shorthand is enough.
 */
function openGroups(document: Document.Parsed, path: readonly string[]): readonly string[] {
  for (let depth = 1; depth < path.length; depth += 1) {
    const group = path.slice(0, depth);
    const node: unknown = document.getIn(group, true);
    if (!isScalar(node)) continue;
    if (node.value !== null && path.join(".") === "model.name") return group;
    document.setIn(group, document.createNode(node.value === null ? {} : { name: node.value }));
  }
  return path;
}

/** Writes beside the file and renames over it: readers see the old text or the new one. */
function replaceFile(path: string, text: string): void {
  const target = realPath(path);
  const draft = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text);
    renameSync(draft, target);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Where a link leads, so that a linked file is written and not unlinked. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
