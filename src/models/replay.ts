import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { PmcoderError } from "../domain/errors.ts";
import { free, type Model, type ModelReply, type ModelRequest, noUsage } from "../domain/model.ts";
import { whyUnreadable } from "../domain/unreadable.ts";
import type { ForeignEpisode } from "../trajectories/foreign.ts";
import { readTrajectories } from "../trajectories/read-trajectories.ts";
import {
  type Cassette,
  isCassette,
  matches,
  mayMatch,
  type RecordedReply,
  readCassette,
} from "./cassette.ts";

/** A model that gives recorded replies again. */
export interface ReplayModel extends Model {
  /** The format of its file: a cassette of ours, or a trajectory of mini-swe-agent. */
  readonly source: "pmcoder-cassette-1" | "mini-swe-agent-1" | "mini-swe-agent-1.1";
  /** Whether it may be of a run about this issue, before there is a conversation. */
  readonly mayFit: (issue: string) => boolean;
}

const isReplay = (model: Model): model is ReplayModel => "source" in model;

/**
 * Whether replies without a call are part of what `model` repeats: they are in a recording of
 * mini-swe-agent v1, whose harness answered them, so a limit on format errors must not end it.
 */
export function expectsFormatErrors(model: Model): boolean {
  return isReplay(model) && model.source === "mini-swe-agent-1";
}

/**
 * Refuses a recording of another issue, before anything is made for a run.
 * @throws PmcoderError `model_unavailable`.
 */
export function refuseOtherIssue(model: Model, issue: string): void {
  if (isReplay(model) && !model.mayFit(issue)) throw ofOtherIssue(model.name);
}

/** Recorded replies, and whether they belong to a conversation. */
export interface Recording {
  readonly source: ReplayModel["source"];
  /** The model that was recorded; null: unknown. */
  readonly model: string | null;
  readonly replies: readonly RecordedReply[];
  readonly fits: (request: ModelRequest) => boolean;
  readonly mayFit: ReplayModel["mayFit"];
}

function unavailable(message: string, cause?: unknown): PmcoderError {
  return new PmcoderError("model_unavailable", message, cause === undefined ? {} : { cause });
}

function ofOtherIssue(name: string): PmcoderError {
  return unavailable(
    `${name} was recorded for another issue. Give that issue, or record this one with --record.`,
  );
}

/** A turn as its harness took it: its calls in order, none if it was rejected. */
function repliesOf(episode: ForeignEpisode): RecordedReply[] {
  return episode.turns.map(({ content, calls, rejected }) => ({
    purpose: "act",
    content,
    calls: rejected
      ? []
      : calls.map(({ id, command }) => ({ id, name: "bash", input: { command } })),
  }));
}

function fromCassette(cassette: Cassette): Recording {
  return {
    source: "pmcoder-cassette-1",
    model: cassette.model,
    replies: cassette.replies,
    fits: (request) => matches(cassette, request),
    mayFit: (issue) => mayMatch(cassette, issue),
  };
}

function episodeIn(text: string, file: string): ForeignEpisode {
  let episodes: readonly ForeignEpisode[];
  try {
    episodes = readTrajectories(text, file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw unavailable(`${reason} A replay also takes a cassette that --record wrote.`, error);
  }
  const [episode, ...more] = episodes;
  if (episode !== undefined && more.length === 0) return episode;
  throw unavailable(`${file} holds ${episodes.length} episodes, and a replay needs exactly one.`);
}

/** The recording in a file's text, a cassette or a trajectory; `file` is for messages. */
export function readRecording(text: string, file: string): Recording {
  if (isCassette(text)) return fromCassette(readCassette(text, file));
  const episode = episodeIn(text, file);
  const { format, model } = episode;
  if (format !== "mini-swe-agent-1" && format !== "mini-swe-agent-1.1") {
    throw unavailable(
      `${file} is a trajectory of ${format}; replies can be replayed from pmcoder cassettes and mini-swe-agent trajectories.`,
    );
  }
  const fitsAll = () => true;
  return { source: format, model, replies: repliesOf(episode), fits: fitsAll, mayFit: fitsAll };
}

/**
 * The reply that a request gets: the one at its ordinal where it has one, the k-th of `act` after k
 * assistant messages, else the first.
 */
function pick(request: ModelRequest, recording: Recording, name: string): RecordedReply {
  const { purpose, messages, ordinal = 0 } = request;
  const replies = recording.replies.filter((reply) => reply.purpose === purpose);
  if (purpose !== "act") {
    const reply = replies[ordinal];
    if (reply !== undefined) return reply;
    const missing = ordinal === 0 ? "a reply" : `reply ${ordinal + 1}`;
    throw unavailable(`${name} has not recorded ${missing} for ${purpose}.`);
  }
  const k = messages.filter(({ role }) => role === "assistant").length;
  const reply = replies[k];
  if (reply !== undefined) return reply;
  throw unavailable(
    `${name} holds ${replies.length} replies and reply ${k + 1} was asked for: this run needs more steps than the recorded one took. Record it again, or choose a model.`,
  );
}

/**
 * A model that answers from a recording. It keeps no state: the request alone decides the reply,
 * so a resumed run goes on where it stood. It costs nothing.
 */
export function replayModel(recording: Recording, name: string): ReplayModel {
  const { source, model, mayFit } = recording;
  return {
    name,
    price: free,
    source,
    mayFit,
    complete: async (request, { signal }): Promise<ModelReply> => {
      if (signal.aborted) {
        const cause = signal.reason;
        throw new PmcoderError("interrupted", "The model call was interrupted.", { cause });
      }
      if (!recording.fits(request)) throw ofOtherIssue(name);
      const { content, calls, native, usage, stop } = pick(request, recording, name);
      return {
        message: { role: "assistant", content, calls, ...(native ? { native } : {}) },
        usage: usage ?? noUsage,
        stop: stop ?? (calls.length > 0 ? "calls" : "end"),
        model: model ?? name,
      };
    },
  };
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** A text file, plain or gzip. */
function readText(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw unavailable(`The recording ${path} cannot be read: ${whyUnreadable(error)}.`, error);
  }
  try {
    return (isGzip(bytes) ? gunzipSync(bytes) : bytes).toString("utf8");
  } catch (error) {
    throw unavailable(`The recording ${path} is a damaged gzip file. Fetch it again.`, error);
  }
}

export function openRecording(path: string): Recording {
  return readRecording(readText(path), path);
}

/**
 * Opens a recording: a cassette of ours, or a trajectory of mini-swe-agent v1 or v2, plain or gzip.
 * @throws PmcoderError `model_unavailable`, naming the file and what is wrong with it.
 */
export function openReplay(path: string): ReplayModel {
  return replayModel(openRecording(path), `replay:${path}`);
}
