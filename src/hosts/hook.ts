import type { Redact } from "../domain/redact.ts";
import type { TaskRecord } from "../trajectories/host-log.ts";
import { greeting, hookAnswer } from "./hook-answer.ts";
import { type ReadEvent, readHookEvent } from "./hook-event.ts";
import type { Session } from "./session.ts";
import { dropSnapshot, sessionFiles } from "./session-files.ts";
import { SessionLog, type SessionPlace } from "./session-log.ts";
import type { SessionRules } from "./session-state.ts";
import { noteTrouble } from "./trouble.ts";

/** What a hook has of the world. */
export interface HookWorld {
  /** The host's name, as the hook was called. */
  readonly host: string;
  readonly version: string;
  /** Where sessions of the repository around this directory are kept. */
  readonly folderOf: (cwd: string) => string;
  /** The top of that repository. */
  readonly rootOf: (cwd: string) => string;
  /** The configuration, asked for once a session. `warn`: what is wrong with it. */
  readonly config: (warn: (what: string) => void) => Promise<SessionRules["config"]>;
  readonly redact: Redact;
  /** Where trouble is told before the event has named a directory. */
  readonly cwd: string;
  /** Epoch ms. */
  readonly now: () => number;
  /** Milliseconds, and when on that clock no more of the log is read. */
  readonly elapsed: () => number;
  readonly until: number;
}

/**
 * Takes one event of a host with Claude-style hooks and returns what to print: one JSON object, or
 * null. A call is written down first, then plan and memory are loaded. Never throws; what went
 * wrong is told to `pmcoder doctor`.
 */
export async function answerHook(text: string, world: HookWorld): Promise<string | null> {
  const warnIn = (cwd: string) => (what: string) =>
    noteTrouble(world.folderOf(cwd), {
      at: world.now(),
      host: world.host,
      what: world.redact(what),
    });
  const read = readHookEvent(text, world.rootOf);
  if (typeof read === "string") {
    warnIn(world.cwd)(read);
    return null;
  }
  const warn = warnIn(read.cwd);
  if (read.strange !== null) warn(read.strange);
  try {
    return await respond(read, world, warn);
  } catch (error) {
    // Should the kept state be what it stumbled over, the log tells it anew.
    dropSnapshot(sessionFiles(world.folderOf(read.cwd), read.session));
    warn(`${read.name}: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
    return null;
  }
}

type Warn = (what: string) => void;

/** A session that is about to be read. */
interface Opening {
  readonly place: SessionPlace;
  readonly log: SessionLog;
}

async function respond(read: ReadEvent, world: HookWorld, warn: Warn): Promise<string | null> {
  const { event, name } = read;
  if (event.does === "nothing") return null;
  if (event.does === "greet" && !event.compacted) return hookAnswer(name, greeting);
  const place = placeOf(read, world, warn);
  const opening = { place, log: new SessionLog(place) };
  if (event.does === "greet") {
    opening.log.append({ type: "compacted" });
    return hookAnswer(name, greeting);
  }
  if (event.does === "task") {
    await beginTask(event.text, opening, world);
    return null;
  }
  const lines = event.steps.map((step) => opening.log.append(world.redact(step)));
  const block = await blockFor(lines, opening, world);
  return block === null ? null : hookAnswer(name, block);
}

function placeOf({ session, cwd }: ReadEvent, world: HookWorld, warn: Warn): SessionPlace {
  const { host, version, folderOf, rootOf, elapsed: now } = world;
  return { host, session, root: rootOf(cwd), folder: folderOf(cwd), version, now, warn };
}

async function open({ place, log }: Opening, world: HookWorld): Promise<Session> {
  const { Session } = await import("./session.ts");
  const session = new Session(place, log);
  if (session.wantsConfig) session.config = await world.config(place.warn);
  return session;
}

async function beginTask(text: string, opening: Opening, world: HookWorld): Promise<void> {
  const task = world.redact<TaskRecord>({ type: "task", text });
  const isFirst = opening.log.isEmpty;
  if (isFirst) opening.log.append(task);
  const session = await open(opening, world);
  const { beginsEpisode } = await import("./session-state.ts");
  const { isDone } = session.readOn(null, world.until);
  if (!isFirst && isDone && beginsEpisode(session.state)) session.add(task);
  session.save();
}

/** The newest block of these lines' calls. */
async function blockFor(
  lines: readonly string[],
  opening: Opening,
  world: HookWorld,
): Promise<string | null> {
  const session = await open(opening, world);
  let block: string | null = null;
  for (const line of lines) {
    const { isDone, advice } = session.readOn(line, world.until);
    block = advice?.block ?? block;
    if (isDone) continue;
    opening.place.warn(
      "no time was left to read the session's log; the next call reads on (PMCODER_HOOK_MS gives more)",
    );
    session.save();
    return block;
  }
  session.saveSometimes();
  return block;
}
