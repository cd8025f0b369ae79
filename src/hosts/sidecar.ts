import { randomUUID } from "node:crypto";
import { z } from "zod";
import { PmcoderError } from "../domain/errors.ts";
import type { Redact } from "../domain/redact.ts";
import type { StepRecord } from "../trajectories/host-log.ts";
import { Session } from "./session.ts";
import {
  type Recalled,
  recallFrom,
  type Said,
  type Status,
  saidOf,
  statusOf,
} from "./session-report.ts";
import { beginsEpisode, type SessionRules } from "./session-state.ts";
import {
  BeginParams,
  ObserveParams,
  RecallParams,
  SessionParams,
  VerdictParams,
} from "./sidecar-params.ts";
import { cutOutput } from "./tool-result.ts";
import { stepOf } from "./tool-step.ts";

/** What a sidecar has of the world. */
export interface SidecarWorld {
  /** Where sessions are kept. */
  readonly folder: string;
  /** Root of sessions that name none. */
  readonly root: string;
  readonly version: string;
  readonly config: SessionRules["config"];
  readonly redact: Redact;
  readonly warn: (what: string) => void;
}

export interface Begun {
  readonly session: string;
  /** Steps that are known of it already. */
  readonly steps: number;
}

/**
 * Plan and memory of the sessions of one agent, kept in memory and in their logs. Every method takes
 * what came over the wire and throws PmcoderError `usage` when that is wrong.
 */
export class Sidecar {
  readonly #world: SidecarWorld;
  readonly #sessions = new Map<string, Session>();

  constructor(world: SidecarWorld) {
    this.#world = world;
  }

  begin(params: unknown): Begun {
    const { session: given, task, host, root, files, reproducer } = read(BeginParams, params);
    const id = given ?? randomUUID();
    const session = this.#sessions.get(id) ?? this.#open({ id, host, root });
    if (beginsEpisode(session.state)) {
      const text = this.#world.redact(task);
      const known = { ...(files && { files }), ...(reproducer && { reproducer }) };
      session.add({ type: "task", text, ...known });
    }
    return { session: id, steps: session.state.turns };
  }

  /** Takes a call in; says nothing of a tool that is not known. */
  observe(params: unknown): Said {
    const told = read(ObserveParams, params);
    const session = this.#of(told.session);
    const step = stepIn(told);
    if (step === "unknown")
      this.#world.warn(`a tool that is not known: ${told.tool || "(unnamed)"}`);
    const advice = typeof step === "string" ? null : session.add(this.#world.redact(step)).advice;
    return saidOf(session.state.turns, advice);
  }

  verdict(params: unknown): Status {
    const { session: id, verdict } = read(VerdictParams, params);
    const session = this.#of(id);
    session.add({ type: "verdict", verdict });
    return statusOf(session.state);
  }

  recall(params: unknown): readonly Recalled[] {
    const { session, about } = read(RecallParams, params);
    return recallFrom(this.#of(session).state, about);
  }

  status(params: unknown): Status {
    return statusOf(this.#of(read(SessionParams, params).session).state);
  }

  /** Keeps the session and lets go of it. */
  end(params: unknown): Status {
    const { session: id } = read(SessionParams, params);
    const session = this.#of(id);
    session.save();
    this.#sessions.delete(id);
    return statusOf(session.state);
  }

  /** Keeps all that is still open. */
  close(): void {
    for (const session of this.#sessions.values()) session.save();
    this.#sessions.clear();
  }

  #open({
    id: session,
    host,
    root = this.#world.root,
  }: {
    readonly id: string;
    readonly host: string;
    readonly root: string | undefined;
  }): Session {
    const { folder, version, config, warn } = this.#world;
    const now = () => 0;
    const opened = new Session({ host, session, root, folder, version, now, warn });
    opened.config = config;
    opened.readOn(null, Number.POSITIVE_INFINITY);
    this.#sessions.set(session, opened);
    return opened;
  }

  #of(id: string): Session {
    const session = this.#sessions.get(id);
    if (session !== undefined) return session;
    throw new PmcoderError("usage", `No session ${id} is open here. Call begin first.`);
  }
}

function read<Schema extends z.ZodType>(schema: Schema, params: unknown): z.infer<Schema> {
  const result = schema.safeParse(params ?? {});
  if (result.success) return result.data;
  throw new PmcoderError("usage", z.prettifyError(result.error));
}

function stepIn(told: ObserveParams): StepRecord | "quiet" | "unknown" {
  const { id, command, tool, thought, output, exitCode, timedOut, more } = told;
  if (command !== undefined) {
    const result = { output: cutOutput(output), exitCode: exitCode ?? null, timedOut };
    return { type: "step", id, thought, command, ...result, more };
  }
  const { input, isError: failed, folder } = told;
  const call = { id, tool: tool ?? "", input, text: output, failed };
  const step = stepOf({ ...call, exitCode: exitCode ?? null, folder: folder ?? null });
  if (typeof step === "string") return step;
  return { ...step, thought: thought || step.thought, timedOut: timedOut || step.timedOut, more };
}
