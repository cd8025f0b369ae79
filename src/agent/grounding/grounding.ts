import type { RunConfig } from "../../domain/config/run-config.ts";
import type { Environment } from "../../domain/environment.ts";
import type { EpisodeEvent } from "../../domain/episode.ts";
import { PmcoderError } from "../../domain/errors.ts";
import type { Reproducer } from "../../domain/reproducer.ts";
import { isScratch } from "../../domain/scratch.ts";
import type { ShellAction } from "../../substrate/shell/action.ts";
import type { Base } from "../patch/base.ts";
import { Integrity } from "./integrity.ts";
import { Reproduction, suppressed } from "./reproduction.ts";

export interface GroundingParts {
  readonly environment: Environment;
  readonly base: Base;
  readonly config: RunConfig;
  /** null: the run is not armed. */
  readonly reproducer: Reproducer | null;
  readonly signal: AbortSignal;
}

/** One executed call, as grounding takes it. */
export interface GroundedCall {
  readonly step: number;
  readonly callId: string;
  readonly action: ShellAction;
}

/**
 * Evidence from the environment beside the loop: what was edited must parse, and the reproduction
 * script says whether the issue is still there. Advisory: it stops nothing and nobody, and the
 * grader never sees a verdict (arXiv:2608.06811, III-E).
 */
export class Grounding {
  /** Where the reproduction script lies, as commands name it; null when there is none. */
  readonly reproducer: string | null;
  readonly #parts: GroundingParts;
  readonly #source: ReadonlySet<string>;
  readonly #integrity: Integrity | null;
  readonly #reproduction: Reproduction | null;

  constructor(parts: GroundingParts) {
    const { environment, base, reproducer, signal } = parts;
    const { grounding: config, agent } = parts.config;
    const maxFileBytes = agent.patchMaxFileBytes;
    this.#parts = parts;
    this.#source = new Set(base.files);
    this.#integrity = config.integrity ? new Integrity({ environment, base, config }) : null;
    this.#reproduction =
      reproducer === null
        ? null
        : new Reproduction({ environment, base, config, reproducer, maxFileBytes, signal });
    this.reproducer = this.#reproduction?.path ?? null;
  }

  /** Takes up what the events of an earlier part of this run have shown. */
  note(event: EpisodeEvent): void {
    this.#integrity?.note(event);
    this.#reproduction?.note(event);
  }

  /**
   * What the environment shows after a call that changed files: integrity, then the verdict
   * (the order of arXiv:2608.06811, III-E); null when it was interrupted before that was known.
   * `announce` is told before the script starts. Never rejects but for a lost environment: what
   * cannot be found out is told and stays open.
   */
  async afterCall(
    call: GroundedCall,
    announce: (event: EpisodeEvent) => Promise<void>,
  ): Promise<readonly EpisodeEvent[] | null> {
    if (!call.action.mutating) return [];
    if (this.#parts.signal.aborted) return null;
    const integrity = await orNotice(this.#parse(call));
    for (const event of integrity) this.note(event);
    const verdict = await orNotice(this.#reproduce(call, announce), this.#unanswered(call));
    if (this.#parts.signal.aborted) return null;
    for (const event of verdict) this.note(event);
    return [...integrity, ...verdict];
  }

  async #parse({ step, callId, action }: GroundedCall): Promise<readonly EpisodeEvent[]> {
    const record = (await this.#integrity?.check(callId, action)) ?? null;
    return record === null ? [] : [{ type: "integrity", step, ...record }];
  }

  async #reproduce(
    { step, callId, action }: GroundedCall,
    announce: (event: EpisodeEvent) => Promise<void>,
  ): Promise<readonly EpisodeEvent[]> {
    if (this.#reproduction === null || !changesSource(action)) return [];
    const record = this.#isSourceCorrupt()
      ? suppressed(callId)
      : await this.#reproduction.check(callId, (signature) =>
          announce({ type: "check", step, callId, signature }),
        );
    return [{ type: "verdict", step, ...record }];
  }

  /** So that no older verdict stands for a tree that could not be asked about. */
  #unanswered({ step, callId, action }: GroundedCall): readonly EpisodeEvent[] {
    if (!changesSource(action)) return [];
    return [{ type: "verdict", step, ...suppressed(callId) }];
  }

  #isSourceCorrupt(): boolean {
    const corrupt = this.#integrity?.corrupt ?? [];
    return corrupt.some(
      (file) => !file.startsWith("/") && (this.#source.has(file) || !isScratch(file)),
    );
  }
}

/** A source file, or something that the text does not tell, was edited or put back. */
function changesSource({ segments }: ShellAction): boolean {
  return segments.some(
    ({ class: kind, source, unresolved }) =>
      kind === "revert" || (kind === "edit" && (source.length > 0 || unresolved)),
  );
}

/** A check that could not be made is told, and the run goes on without its answer. */
async function orNotice(
  checking: Promise<readonly EpisodeEvent[]>,
  otherwise: readonly EpisodeEvent[] = [],
): Promise<readonly EpisodeEvent[]> {
  try {
    return await checking;
  } catch (error) {
    if (!(error instanceof PmcoderError) || error.code !== "internal") throw error;
    const text = `The edit could not be checked: ${error.message}`;
    return [{ type: "notice", text }, ...otherwise];
  }
}

/** null where nothing would come of it: without a planner, whose plan is what it feeds. */
export function beginGrounding(parts: GroundingParts): Grounding | null {
  const { planner, grounding } = parts.config;
  if (!planner.on || !grounding.on) return null;
  if (!grounding.integrity && parts.reproducer === null) return null;
  return new Grounding(parts);
}
