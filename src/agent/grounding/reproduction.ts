import type { GroundingConfig } from "../../domain/config/grounding.ts";
import type { Environment } from "../../domain/environment.ts";
import type { EpisodeEvent } from "../../domain/episode.ts";
import type { VerdictRecord } from "../../domain/evidence.ts";
import type { Verdict } from "../../domain/plan.ts";
import type { Reproducer } from "../../domain/reproducer.ts";
import type { Base } from "../patch/base.ts";
import { treeName } from "../patch/stage.ts";
import { placeOf, runReproducer } from "./run-reproducer.ts";

export interface ReproductionParts {
  readonly environment: Environment;
  readonly base: Base;
  readonly config: GroundingConfig;
  readonly reproducer: Reproducer;
  readonly maxFileBytes: number;
  readonly signal: AbortSignal;
}

type Known = Pick<VerdictRecord, "verdict" | "tail">;

/**
 * The verdicts of the reproduction script on the trees of a run (arXiv:2608.06811, III-E and
 * Table II). A tree is asked about once; the untouched one is known to fail, because the script was
 * admitted on it. When the runs are used up, a tree that is not known has no verdict: an old one
 * never stands for it. All it remembers is a fold over its own events.
 */
export class Reproduction {
  /** Where the script lies, as commands name it. */
  readonly path: string;
  readonly #parts: ReproductionParts;
  readonly #known = new Map<string, Known>();
  #runs = 0;

  constructor(parts: ReproductionParts) {
    const { base, reproducer } = parts;
    this.#parts = parts;
    this.path = placeOf(reproducer, base.store);
    this.#known.set(base.tree, { verdict: "fail", tail: "" });
  }

  /** What the events of earlier calls have shown. */
  note(event: EpisodeEvent): void {
    if (event.type !== "verdict" || event.exitCode === null || event.signature === null) return;
    const { signature, verdict, tail } = event;
    this.#runs += 1;
    this.#known.set(signature, { verdict, tail });
  }

  /** `announce` is told the tree's name before the script starts, which may take minutes. */
  async check(
    callId: string,
    announce: (signature: string) => Promise<void>,
  ): Promise<VerdictRecord> {
    const { environment, base, config, maxFileBytes } = this.#parts;
    const signature = await treeName(environment, base, { maxFileBytes });
    const known = this.#known.get(signature);
    const idle = { callId, signature, exitCode: null, seconds: 0 };
    if (known) return { ...idle, ...known, cached: true, note: noteOf(known) };
    if (this.#runs >= config.maxChecks) return { ...idle, ...unanswered };
    await announce(signature);
    return { ...idle, ...(await this.#run()) };
  }

  async #run(): Promise<Omit<VerdictRecord, "callId" | "signature">> {
    const { environment, base, config, reproducer, signal } = this.#parts;
    const { timeoutSec } = config;
    const run = await runReproducer(environment, reproducer, {
      folder: base.store,
      timeoutSec,
      signal,
    });
    if (run.interrupted) return { ...unanswered, exitCode: null, seconds: run.seconds };
    const { verdict, exitCode, seconds, output } = run;
    const tail = config.tailChars === 0 ? "" : output.slice(-config.tailChars);
    return { verdict, cached: false, exitCode, seconds, tail, note: noteOf({ verdict, tail }) };
  }
}

const unanswered = { verdict: "undefined", cached: false, tail: "", note: null } as const;

/** A source file does not parse, so nobody asks the script: it would only fail at that. */
export function suppressed(callId: string): VerdictRecord {
  return { callId, signature: null, exitCode: null, seconds: 0, ...unanswered };
}

const notes: Readonly<Record<Verdict, (tail: string) => string | null>> = {
  pass: () => "<reproduction>\nThe issue's reproduction no longer fails.\n</reproduction>",
  fail: (tail) =>
    `<reproduction>\nThe issue's reproduction still fails${tail === "" ? "." : `:\n${tail}`}\n</reproduction>`,
  undefined: () => null,
};

function noteOf({ verdict, tail }: Known): string | null {
  return notes[verdict](tail);
}
