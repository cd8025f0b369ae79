import { PmcoderError } from "../domain/errors.ts";
import type { ForeignEpisode } from "./foreign.ts";
import { isHostLog, readHostLog } from "./host-log.ts";
import { type JsonObject, objectOf } from "./message-text.ts";
import { readMini } from "./mini.ts";
import { MiniFile } from "./mini-file.ts";
import {
  EventRow,
  MessageRow,
  OpenHandsEvents,
  readEventRow,
  readEvents,
  readMessageRow,
} from "./openhands.ts";
import { parseJson, salvage } from "./salvage.ts";
import { readSweAgent, SweAgentFile } from "./swe-agent.ts";

const readable =
  "mini-swe-agent v1 and v2, SWE-agent .traj, OpenHands histories and pmcoder's own trajectories";

/** A value of the file; `cut`: the file ends inside it. */
interface Piece {
  readonly value: unknown;
  readonly cut: boolean;
  /** Where it stands, for messages. */
  readonly where: string;
}

/**
 * The episodes of a trajectory file: mini-swe-agent v1 and v2, SWE-agent `.traj`, OpenHands event
 * histories and converted rows, our own, and the logs of sessions in other agents; one, a list, or
 * one a line. `text` is uncompressed;
 * `name` is the file's, for messages and for SWE-agent, whose files do not name their instance.
 * Of a file that was cut off the complete turns are returned, the last episode marked `cut`.
 * Throws PmcoderError `usage` when nothing can be read, saying what was found and where.
 */
export function readTrajectories(text: string, name: string): readonly ForeignEpisode[] {
  if (isHostLog(text)) return readHostLog(text, name);
  const pieces = piecesOf(text.replace(/^\uFEFF/, "").trim(), name);
  const episodes = pieces.flatMap((piece) => episodesIn(piece, name));
  if (episodes.length === 0) throw unreadable(name, "an empty list");
  return episodes;
}

function piecesOf(text: string, name: string): readonly Piece[] {
  if (text === "") throw unreadable(name, "the file is empty");
  const whole = parseJson(text);
  if (whole) return [{ value: whole.value, cut: false, where: name }];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const isLines = lines.length > 1 && parseJson(lines[0] ?? "") !== undefined;
  return isLines ? piecesOfLines(lines, name) : [salvaged(text, name)];
}

function piecesOfLines(lines: readonly string[], name: string): readonly Piece[] {
  return lines.flatMap((line, at): Piece[] => {
    const where = `${name}, line ${at + 1}`;
    const parsed = parseJson(line);
    if (parsed) return [{ value: parsed.value, cut: false, where }];
    if (at < lines.length - 1) throw unreadable(where, `no JSON but ${excerpt(line)}`);
    const value = salvage(line);
    return value === null ? [] : [{ value, cut: true, where }];
  });
}

function salvaged(text: string, name: string): Piece {
  const value = salvage(text);
  if (value !== null) return { value, cut: true, where: name };
  throw /^[[{]/.test(text)
    ? unreadable(
        name,
        `JSON that is damaged, or ends before its first turn is complete: ${excerpt(text)}`,
      )
    : unreadable(name, `no JSON but ${excerpt(text)}`);
}

function episodesIn(piece: Piece, name: string): readonly ForeignEpisode[] {
  const { value, cut, where } = piece;
  if (!Array.isArray(value)) return [episodeIn(piece, name)];
  if (value.length === 0) return [];
  const events = OpenHandsEvents.safeParse(value).data;
  if (events) return [readEvents(events, cut)];
  const messages = value.every(isMessage) && MiniFile.safeParse({ messages: value }).data;
  if (messages) return [readMini(messages, cut)];
  return value.map((row: unknown, at) => {
    const isLast = at === value.length - 1;
    return episodeIn({ value: row, cut: cut && isLast, where: `${where}, row ${at + 1}` }, name);
  });
}

const isMessage = (value: unknown) => {
  const message = objectOf(value);
  return message !== null && ("role" in message || "object" in message || "type" in message);
};

type Reader = (object: JsonObject, name: string, cut: boolean) => ForeignEpisode | null;

/** Asked in turn; each knows its own format by shape and leaves the rest. */
const readers: readonly Reader[] = [
  (object, _name, cut) => {
    const isMini = "trajectory_format" in object || "info" in object;
    const { data } = MiniFile.safeParse(object);
    return isMini && data ? readMini(data, cut) : null;
  },
  (object, name, cut) => {
    const { data } = SweAgentFile.safeParse(object);
    return data ? readSweAgent(data, name, cut) : null;
  },
  (object, _name, cut) => {
    const { data } = EventRow.safeParse(object);
    return data ? readEventRow(data, cut) : null;
  },
  (object, _name, cut) => {
    const { data } = MessageRow.safeParse(object);
    return data ? readMessageRow(data, cut) : null;
  },
];

function episodeIn({ value, cut, where }: Piece, name: string): ForeignEpisode {
  const object = objectOf(value);
  if (object === null) throw unreadable(where, bare(value));
  const format = object["trajectory_format"];
  if (typeof format === "string" && !/^mini-swe-agent-1(\.1)?$/.test(format)) {
    throw unreadable(where, `trajectory_format "${format}", which this version does not know`);
  }
  for (const read of readers) {
    const episode = read(object, name, cut);
    if (episode) return episode;
  }
  const keys = Object.keys(object).slice(0, 8).join(", ");
  throw unreadable(where, `an object with the keys ${keys || "(none)"}`);
}

function bare(value: unknown): string {
  if (Array.isArray(value)) return "a list inside a list";
  return `a bare ${value === null ? "null" : typeof value}`;
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function unreadable(where: string, found: string): PmcoderError {
  return new PmcoderError(
    "usage",
    `${where}: expected a trajectory of ${readable}, found ${found}.`,
  );
}
