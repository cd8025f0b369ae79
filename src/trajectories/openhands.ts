import { z } from "zod";
import type { ForeignEpisode } from "./foreign.ts";
import { issueIn } from "./issue-text.ts";
import { JsonObject, objectOf, TextOrNull } from "./message-text.ts";
import { ClassicEvent } from "./openhands-classic.ts";
import { taskOfHistory, turnsOfHistory } from "./openhands-history.ts";
import { RowMessage, turnsOfMessages } from "./openhands-messages.ts";
import { SdkEvent } from "./openhands-sdk.ts";

const Event = z.union([SdkEvent, ClassicEvent]);

/** Events in order; older evaluations keep them in pairs of action and observation. */
export const OpenHandsEvents = z
  .array(z.union([Event.transform((event) => [event]), z.array(Event)]))
  .transform((events) => events.flat().filter((event) => event !== null));
type OpenHandsEvents = z.infer<typeof OpenHandsEvents>;

const Row = z.looseObject({
  instance_id: TextOrNull.default(null),
  id: TextOrNull.default(null),
  run_id: TextOrNull.default(null),
  model: TextOrNull.default(null),
  instance: JsonObject.nullish().catch(null),
  issue: JsonObject.nullish().catch(null),
  metadata: JsonObject.nullish().catch(null),
  test_result: JsonObject.nullish().catch(null),
  instruction: TextOrNull.default(null),
  problem_statement: TextOrNull.default(null),
  git_patch: TextOrNull.default(null),
  error: TextOrNull.optional(),
});
type Row = z.infer<typeof Row>;

/** A row of an evaluation's or a resolver's output, with its history of events. */
export const EventRow = Row.extend({ history: OpenHandsEvents });
/** A row of a converted data set: chat messages, with tool calls or their text form. */
export const MessageRow = Row.extend({ messages: z.array(RowMessage).min(1) });

const string = (value: unknown) => (typeof value === "string" ? value : null);

function instanceOf({ instance_id, instance, issue, id }: Row): string | null {
  const named = (key: string) => {
    const value = issue?.[key];
    return typeof value === "string" || typeof value === "number" ? value : "?";
  };
  const issueId = issue && `${named("owner")}/${named("repo")}#${named("number")}`;
  return instance_id ?? string(instance?.["instance_id"]) ?? issueId ?? id;
}

/** Sampled sets name the model at the start of the run's name. */
function modelOf({ model, metadata, run_id }: Row): string | null {
  const configured = string(objectOf(metadata?.["llm_config"])?.["model"]);
  const named = /^(.+?)_maxiter_\d+/.exec(run_id ?? "")?.[1] ?? null;
  return model ?? configured ?? named;
}

/** The issue alone, else the instruction around it, else the first message. */
function taskOf({ instance, issue, ...row }: Row, first: string): string {
  const stated = row.problem_statement ?? string(instance?.["problem_statement"]);
  const titled = issue && [issue["title"], issue["body"]].map(string).filter(Boolean).join("\n");
  return stated ?? (titled || issueIn(row.instruction ?? first));
}

type Head = Omit<ForeignEpisode, "turns" | "cut">;

function headOf(row: Row, first: string): Head {
  const outcome = row.error === undefined ? null : (row.error ?? "ok");
  return {
    format: "openhands",
    instanceId: instanceOf(row),
    task: taskOf(row, first),
    model: modelOf(row),
    workdir:
      /<uploaded_files>\s*(\/\S+)\s*<\/uploaded_files>/.exec(row.instruction ?? first)?.[1] ?? null,
    exitStatus: outcome,
    submission: string(row.test_result?.["git_patch"]) ?? row.git_patch,
  };
}

export function readEventRow(row: z.infer<typeof EventRow>, cut: boolean): ForeignEpisode {
  const head = headOf(row, taskOfHistory(row.history));
  return { ...head, turns: turnsOfHistory(row.history), cut };
}

export function readMessageRow(row: z.infer<typeof MessageRow>, cut: boolean): ForeignEpisode {
  const first = row.messages.find(({ role }) => role === "user")?.content ?? "";
  return { ...headOf(row, first), turns: turnsOfMessages(row.messages), cut };
}

/** A saved session: the bare list of events, which names no instance. */
export function readEvents(events: OpenHandsEvents, cut: boolean): ForeignEpisode {
  return readEventRow({ ...Row.parse({}), history: events }, cut);
}
