import { type Answer, put } from "../agent/ask.ts";
import { type Advisers, briefly, openExperience } from "../agent/consult-experience.ts";
import { EpisodeLog } from "../agent/episode-log.ts";
import { limitReached } from "../agent/limit-reached.ts";
import type { Reached } from "../agent/limits.ts";
import type { SolveParts } from "../agent/loop.ts";
import { observe, turnedDown } from "../agent/observation.ts";
import { readBase, restoreBase } from "../agent/patch/restore.ts";
import type { Environment } from "../domain/environment.ts";
import type { EpisodeEvent, Observation } from "../domain/episode.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { Occasion } from "../domain/experience.ts";
import type { Message } from "../domain/message.ts";
import type { ModelRequest, Purpose } from "../domain/model.ts";
import type { SearchEvent } from "../domain/search-tree.ts";
import { onPatch } from "./command-text.ts";
import { RecordedAnswers } from "./recorded-answers.ts";

export interface Question {
  readonly purpose: Purpose;
  readonly messages: readonly Message[];
  /** null: not sent. Left out: as the run's configuration has it. */
  readonly temperature?: number | null;
}

export interface Execution {
  /** In git's format, against the base; empty: the base as it is. */
  readonly patch: string;
  /** Run at the top of the repository with the patch laid on it. */
  readonly command: string;
  readonly timeoutSec: number;
}

/**
 * At which point of its work a workflow asks memories across issues. `entry` 1, or left out: the
 * conversation is new, and nothing was shown in it yet.
 */
export type Moment = Omit<Occasion, "target" | "entry"> & Partial<Pick<Occasion, "entry">>;

interface Call {
  readonly step: number;
  readonly callId: string;
  readonly command: string;
}

/** A limit stands in the way of the next model call: the workflow ends with what it has. */
export class LimitReached extends Error {
  readonly reached: Reached;

  constructor(reached: Reached) {
    super(reached.reason);
    this.reached = reached;
  }
}

/**
 * What a workflow does to the world, each answer recorded before the next question. A workflow must
 * be a function of these answers and of the base's files alone: a later process of the run computes
 * it again, gets what is recorded as it was, and asks and runs only what is not. Between any two
 * calls the repository stands at its base.
 */
export class WorkflowRun {
  readonly issue: string;
  readonly config: SolveParts["config"];
  /** The repository's files, relative to its top. */
  readonly files: readonly string[];
  /** The best patch so far, for an end before the end. */
  proposal = "";
  readonly #parts: SolveParts;
  readonly #log: EpisodeLog;
  readonly #answers: RecordedAnswers;
  readonly #asked = new Map<Purpose, number>();
  readonly #announced: ReadonlySet<string>;
  readonly #advisers: Advisers | null;
  readonly #texts = new Map<string, string | null>();
  #takesTemperature = true;
  #executions = 0;
  #step = 0;

  constructor(parts: SolveParts) {
    const { past = [] } = parts;
    this.#parts = parts;
    this.#log = new EpisodeLog(parts);
    this.#advisers = openExperience(parts, this.#log);
    this.#answers = new RecordedAnswers(past);
    this.#announced = new Set(past.flatMap((e) => (e.type === "command" ? [e.callId] : [])));
    this.issue = this.#redact(parts.issue);
    this.config = parts.config;
    this.files = parts.files;
  }

  /** Model calls so far. */
  get steps(): number {
    return this.#step;
  }

  /** Tells people which part of its work the workflow is at. */
  async enter(stage: string, text: string): Promise<void> {
    if (this.#answers.take("stage", (event) => event.stage === stage)) return;
    await this.#log.record({ type: "stage", step: this.#step, stage, text });
  }

  /** Tells people what the workflow could not use. */
  async note(given: string): Promise<void> {
    const text = this.#redact(given);
    if (!this.#answers.tookNote(text)) await this.#log.record({ type: "notice", text });
  }

  /** Records what the workflow made of its answers, once. */
  async tell(event: SearchEvent): Promise<void> {
    if (this.#answers.take(event.type)) return;
    await this.#log.record(event);
  }

  /** The model's text. Throws `LimitReached`; rejects as the model does. */
  async ask(question: Question): Promise<string> {
    const { purpose } = question;
    const ordinal = this.#asked.get(purpose) ?? 0;
    this.#asked.set(purpose, ordinal + 1);
    this.#step += 1;
    const recorded = this.#answers.take("reply", (reply) => reply.purpose === purpose);
    return recorded?.message.content ?? this.#askNow(question, ordinal);
  }

  async #askNow({ purpose, messages, ...how }: Question, ordinal: number): Promise<string> {
    const reached = limitReached(this.#parts, this.#log, messages);
    if (reached !== null) throw new LimitReached(reached);
    const { config } = this.#parts;
    const given = how.temperature === undefined ? config.model.temperature : how.temperature;
    const temperature = this.#takesTemperature ? given : null;
    const request: ModelRequest = {
      purpose,
      messages,
      tools: [],
      maxOutputTokens: config.model.maxOutputTokens,
      // A server that takes a seed must not give the same sample each time.
      seed: config.seed + ordinal,
      ordinal,
      ...(temperature === null ? {} : { temperature }),
    };
    const { event } = await this.#put(request);
    await this.#log.record({ type: "question", step: this.#step, purpose, messages }, event);
    return event.message.content;
  }

  /** Some models take no temperature, and say so only when they are sent one. */
  async #put(request: ModelRequest): Promise<Answer> {
    const onRetry = (retry: EpisodeEvent) => this.#log.record(retry);
    try {
      return await put(this.#parts, { step: this.#step, request, onRetry });
    } catch (error) {
      if (request.temperature === undefined || !refusesTemperature(error)) throw error;
      this.#takesTemperature = false;
      await this.note("The model takes no temperature, so from here on none is sent.");
      const { temperature: _, ...rest } = request;
      return put(this.#parts, { step: this.#step, request: rest, onRetry });
    }
  }

  /** Runs a command on the base with a patch laid on it. An interrupted one leaves no answer. */
  async execute({ patch, command, timeoutSec }: Execution): Promise<Observation> {
    this.#executions += 1;
    const callId = `run-${this.#executions}`;
    const recorded = this.#answers.take("observation", (event) => event.callId === callId);
    if (recorded !== null) return recorded;
    const step = this.#step;
    const text = onPatch(patch, command);
    // Of an earlier process that did not see it end: it starts from the base again.
    if (!this.#announced.has(callId)) {
      await this.#log.record({ type: "command", step, callId, command: text });
    }
    const seen = this.#redact(await this.#carryOut({ step, callId, command: text }, timeoutSec));
    await this.#log.record({ type: "observation", step, ...seen });
    await restoreBase(this.#parts.errands, this.#parts.base);
    return seen;
  }

  /** Runs a command as far as the user lets it run, where they are asked. */
  async #carryOut(call: Call, timeoutSec: number): Promise<Observation> {
    const { environment, errands, signal, config, decide } = this.#parts;
    const runIn = async (where: Environment, command: string) => {
      const result = await where.execute(command, { timeoutSec, signal });
      if (result.interrupted) throw new PmcoderError("interrupted", "interrupted by the user");
      return observe(call.callId, result, { ...config.agent, timeoutSec });
    };
    const runFirst = (command: string) => runIn(errands, command);
    const moment = { ...call, thought: "", state: null, stuck: null, runFirst };
    const decision = (await decide?.(moment)) ?? ({ type: "run", command: call.command } as const);
    return decision.type === "run"
      ? runIn(environment, decision.command)
      : turnedDown(call.callId, decision.type);
  }

  /** Says once, at the end, whether the run's own evidence is that its patch resolves the issue. */
  async conclude(verdict: "pass" | "fail"): Promise<void> {
    if (this.#parts.past?.some(({ type }) => type === "verdict")) return;
    const callId = `run-${this.#executions}`;
    // It stands on runs that were made before.
    const nothing = { signature: null, cached: true, exitCode: null, seconds: 0, tail: "" };
    const told = { callId, verdict, note: null, ...nothing };
    await this.#log.record({ type: "verdict", step: this.#step, ...told });
  }

  /** What memories across issues say, as a block for a prompt; empty: nothing, or there are none. */
  async recall(moment: Moment): Promise<string> {
    if (this.#advisers === null) return "";
    const recorded = this.#answers.take("experience");
    if (recorded !== null) return recorded.block ?? "";
    const { experience, briefing } = this.#advisers;
    const { entry = 1 } = moment;
    const occasion = { ...moment, target: experience.target, entry };
    const earlier = entry === 1 ? [] : this.#log.course.briefs;
    const { brief, failures } = await briefly(briefing, occasion, earlier);
    const notices = failures.map((text): EpisodeEvent => ({ type: "notice", text }));
    const told = { type: "experience", step: this.#step, callId: "", ...brief } as const;
    await this.#log.record(...notices, this.#redact(told));
    return this.#redact(brief.block) ?? "";
  }

  /** A text file of the base; null: there is none, or it is no text in UTF-8. */
  async read(path: string): Promise<string | null> {
    const known = this.#texts.get(path);
    if (known !== undefined || !this.files.includes(path)) return known ?? null;
    const { errands, base } = this.#parts;
    const text = this.#redact(textOf(await readBase(errands, base, path)));
    this.#texts.set(path, text);
    return text;
  }

  #redact<T>(value: T): T {
    return this.#parts.redact ? this.#parts.redact(value) : value;
  }
}

function textOf(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

const refusesTemperature = (error: unknown) =>
  error instanceof PmcoderError &&
  error.code === "model_unavailable" &&
  /temperature/i.test(error.message);
