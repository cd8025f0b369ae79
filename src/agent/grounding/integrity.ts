import type { GroundingConfig } from "../../domain/config/grounding.ts";
import type { Environment } from "../../domain/environment.ts";
import type { EpisodeEvent } from "../../domain/episode.ts";
import type { IntegrityRecord } from "../../domain/evidence.ts";
import type { ShellAction } from "../../substrate/shell/action.ts";
import { type Base, runOnBase } from "../patch/base.ts";
import { quote } from "../patch/script.ts";
import { isParsable, type Parse, parseFiles } from "./parse.ts";

export interface IntegrityParts {
  readonly environment: Environment;
  readonly base: Base;
  readonly config: GroundingConfig;
}

type Broken = Extract<Parse, { state: "broken" }>;

/**
 * Parses what a command edited or reverted (arXiv:2608.06811, III-E). A file that did not parse
 * when the run began (Python 2, a template, a fixture that is wrong on purpose) is nobody's fault
 * and is passed over until it has parsed once. Files that were left corrupt are looked at again
 * after every change, because a script may have mended them. All it remembers is a fold over its
 * own events.
 */
export class Integrity {
  readonly #parts: IntegrityParts;
  readonly #atStart: ReadonlySet<string>;
  /** Parsed once, or were not there when the run began. */
  readonly #watched = new Set<string>();
  /** Did not parse when the run began. */
  readonly #foreign = new Set<string>();
  #corrupt: readonly string[] = [];

  constructor(parts: IntegrityParts) {
    this.#parts = parts;
    this.#atStart = new Set(parts.base.files);
  }

  /** Files that do not parse, by the newest look at each. */
  get corrupt(): readonly string[] {
    return this.#corrupt;
  }

  /** What the events of earlier calls have shown. */
  note(event: EpisodeEvent): void {
    if (event.type !== "integrity") return;
    const corrupt = event.corrupt.map(({ file }) => file);
    for (const file of event.checked) this.#watched.add(file);
    this.#corrupt = [...this.#corrupt.filter((file) => !event.checked.includes(file)), ...corrupt];
  }

  /** null: the command left nothing to parse. */
  async check(callId: string, action: ShellAction): Promise<IntegrityRecord | null> {
    const files = this.#filesOf(action);
    if (files.length === 0) return null;
    const { environment, config } = this.#parts;
    const parses = await parseFiles(environment, files, config.integrityTimeoutSec);
    const broken = files.flatMap((file) => {
      const parse = parses.get(file);
      return parse?.state === "broken" ? [{ file, ...parse }] : [];
    });
    await this.#sortOut(broken.map(({ file }) => file));
    const corrupt = broken
      .filter(({ file }) => this.#watched.has(file))
      .map(({ file, line, message }) => ({ file, line, message }));
    const whole = files.filter((file) => ["whole", "gone"].includes(parses.get(file)?.state ?? ""));
    const checked = [...whole, ...corrupt.map(({ file }) => file)];
    if (checked.length === 0) return null;
    return { callId, checked, corrupt, note: noteOf(corrupt) };
  }

  #filesOf({ writes, reverted }: ShellAction): readonly string[] {
    const changed = [...writes, ...reverted].filter(
      (file) => isParsable(file) && !file.startsWith("~"),
    );
    const files = new Set([...changed, ...this.#corrupt]);
    return [...files].slice(0, this.#parts.config.integrityFiles);
  }

  /** Decides for broken files that are new to us whether they were broken from the start. */
  async #sortOut(files: readonly string[]): Promise<void> {
    const unknown = files.filter((file) => !this.#watched.has(file) && !this.#foreign.has(file));
    const old = unknown.filter((file) => this.#atStart.has(file));
    for (const file of unknown) if (!old.includes(file)) this.#watched.add(file);
    if (old.length === 0) return;
    const before = await this.#parseBefore(old);
    for (const [index, file] of old.entries()) {
      if (before[index]?.state === "whole") this.#watched.add(file);
      else this.#foreign.add(file);
    }
  }

  async #parseBefore(files: readonly string[]): Promise<readonly (Parse | undefined)[]> {
    const { environment, base, config } = this.#parts;
    const copies = files.map((file, index) => `${base.store}/was-${index}-${nameOf(file)}`);
    const script = files.map(
      (file, index) =>
        `git cat-file blob ${quote(`${base.tree}:${file}`)} > ${quote(copies[index] ?? "")}`,
    );
    await runOnBase(environment, base, `${script.join("\n")}\nexit 0`, {
      task: "read files as they were at the start",
      expected: [0],
    });
    const parses = await parseFiles(environment, copies, config.integrityTimeoutSec);
    return copies.map((copy) => parses.get(copy));
  }
}

const nameOf = (path: string) => path.replace(/^.*\//, "");

function noteOf(corrupt: readonly ({ readonly file: string } & Omit<Broken, "state">)[]) {
  if (corrupt.length === 0) return null;
  const lines = corrupt.map(({ file, line, message }) => {
    const place = line === null ? file : `${file}, line ${line}`;
    return `${place}: ${message}`;
  });
  return `<integrity>\nDoes not parse after this edit:\n${lines.join("\n")}\nRestore or repair before editing further.\n</integrity>`;
}
