import { Document, isMap, isScalar, type Node } from "yaml";
import { configFields } from "./config-fields.ts";
import { gatherSettings } from "./config-file.ts";
import type { Env, TextStream } from "./env.ts";
import { mergeConfig, type ResolvedConfig } from "./merge-config.ts";

interface Asked {
  readonly json: boolean;
  /** The `-c` arguments in the order given. */
  readonly arguments: readonly string[];
}

interface Io {
  readonly env: Env;
  readonly cwd: string;
  readonly stdout: TextStream;
}

/** Prints the configuration that a run would have. Throws PmcoderError `usage` if it has faults. */
export function printConfig(asked: Asked, { env, cwd, stdout }: Io): void {
  const resolved = mergeConfig(gatherSettings({ env, cwd, arguments: asked.arguments, flags: [] }));
  stdout.write(asked.json ? `${JSON.stringify(resolved.config)}\n` : renderConfig(resolved));
}

const width = 100;

/**
 * The configuration as YAML that `-c FILE` reads back: every constant under its description, and
 * beside a value that is not the default where it comes from.
 */
export function renderConfig({ config, sources }: ResolvedConfig): string {
  const document = new Document(config);
  for (const { path, description } of configFields) {
    const group = document.getIn(path.slice(0, -1), true);
    const pair = isMap<Node, Node>(group) && group.items.find(({ key }) => isKey(key, path.at(-1)));
    if (!pair) continue;
    pair.key.commentBefore = wrap(description, width - 2 * path.length);
    pair.key.spaceBefore = path.length === 1;
  }
  for (const [key, source] of sources) {
    const value = document.getIn(key.split("."), true);
    if (isScalar(value)) value.comment = ` ${source}`;
  }
  return document.toString({ lineWidth: 0 }).trimStart();
}

const isKey = (key: Node, name: string | undefined) => isScalar(key) && key.value === name;

/** Text in comment lines of at most `columns` characters, each after a blank. */
function wrap(text: string, columns: number): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > columns) lines.push(` ${word}`);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join("\n");
}
