import {
  isAlias,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLParseError,
} from "yaml";
import { PmcoderError } from "../domain/errors.ts";

/** One value given for one key, before it is checked. Where two have one path, the later wins. */
export interface Setting {
  readonly path: readonly string[];
  readonly value: unknown;
  /** The characters of a command-line value, for keys that hold text: `arm=1` is the arm "1". */
  readonly written?: string;
  /** Where it stands, for messages: `FILE:LINE`, `-c` or `--flag`. */
  readonly source: string;
}

interface Place {
  readonly path: readonly string[];
  readonly sourceOf: (node: Node | null) => string;
}

/**
 * The settings of a configuration text in YAML, in its order. Nothing is checked against the
 * schema yet. Throws PmcoderError `usage` for a text that is not one mapping.
 */
export function settingsOfYaml(text: string, origin: string): readonly Setting[] {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const lineOf = (offset: number) => `${origin}:${lineCounter.linePos(offset).line}`;
  const [error] = document.errors;
  if (error) throw new PmcoderError("usage", `${lineOf(error.pos[0])}${faultOf(error)}`);
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return [];
  if (!isMap(contents)) {
    throw new PmcoderError("usage", `${origin} must be a mapping of keys such as "model: …".`);
  }
  return flatten(contents, {
    path: [],
    sourceOf: (node) => (node?.range ? lineOf(node.range[0]) : origin),
  });
}

function faultOf({ code, message }: YAMLParseError): string {
  return code === "MULTIPLE_DOCS"
    ? ": only one YAML document is read."
    : ` is not YAML: ${message}`;
}

function flatten(node: Node | null, place: Place): readonly Setting[] {
  const source = place.sourceOf(node);
  if (isAlias(node)) {
    throw new PmcoderError("usage", `${source}: write the value out; aliases (*) are not read.`);
  }
  if (!isMap<Node, Node | null>(node)) {
    return [{ path: place.path, value: node?.toJSON() ?? null, source }];
  }
  return node.items.flatMap(({ key, value }) => {
    const name = String(key);
    const at = place.sourceOf(key);
    if (name.includes(".")) {
      throw new PmcoderError("usage", `${at}: write "${name}" as nested keys, one a level.`);
    }
    const sourceOf = (inner: Node | null) => (inner === null ? at : place.sourceOf(inner));
    return flatten(value, { path: [...place.path, name], sourceOf });
  });
}

/** The settings of `key` and a value written in YAML: a scalar, or a flow such as `{a: 1}`. */
export function settingsOfText(key: string, text: string, source: string): readonly Setting[] {
  const path = key.split(".");
  const document = parseDocument(text, { prettyErrors: false });
  if (document.errors.length > 0) return [{ path, value: text, written: text, source }];
  const found = flatten(document.contents, { path, sourceOf: () => source });
  return found.map((setting) =>
    setting.path.length === path.length ? { ...setting, written: text } : setting,
  );
}
