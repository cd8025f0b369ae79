import type { BriefRecord } from "./briefing.ts";
import type { RunConfig } from "./config/run-config.ts";
import type { IntegrityRecord, VerdictRecord } from "./evidence.ts";
import type { IssueIdentity } from "./experience.ts";
import type { AssistantMessage, Message } from "./message.ts";
import type { Purpose, Retry, StopReason, Usage } from "./model.ts";
import type { Phase, PolicyPhase } from "./phase.ts";
import type { Reproducer } from "./reproducer.ts";
import type { SearchEvent } from "./search-tree.ts";
import type { BaseRecord, LimitsRecord, SiteRecord } from "./site.ts";

/** One executed command as a plain value, which any foreign trajectory becomes too. */
export interface Step {
  /** The assistant turn, from 1. */
  readonly index: number;
  readonly thought: string;
  readonly command: string;
  readonly output: string;
  /** null: unknown (a foreign step without a code), neither success nor failure. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
}

export const exitStatuses = [
  "submitted",
  "step_limit",
  "cost_limit",
  "time_limit",
  "context_exhausted",
  "format_errors",
  "no_patch",
  "environment_lost",
  "image_missing",
  "model_unavailable",
  "interrupted",
  "error",
] as const;
export type ExitStatus = (typeof exitStatuses)[number];

/** Why a turn was answered with an error instead of an observation. */
export type FormatErrorKind = "no_call" | "malformed" | "cut" | "unknown_tool" | "refusal";

export interface PatchRecord {
  /** Which of the two the run submits. */
  readonly source: "extraction" | "submission";
  readonly bytes: number;
  /** Repository-relative paths that the patch changes. */
  readonly files: readonly string[];
  /** Paths left out, each with the reason (scratch, ignored, nested repository, too large). */
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
  /** It applies to a clean checkout of the base. */
  readonly applies: boolean;
}

/** What the substrate made of a turn, and what of it was shown to the model. */
export interface AdviceRecord {
  /** The newest tool result, to whose end `block` is appended; null: the turn ran nothing. */
  readonly callId: string | null;
  readonly block: string | null;
  readonly hint: string | null;
  /** null without a planner, as all that follows from it. */
  readonly phase: Phase | null;
  readonly policyPhase: PolicyPhase | null;
  readonly subTask: { readonly id: string; readonly title: string } | null;
  readonly done: number;
  readonly total: number;
  readonly backtrack: boolean;
  /** Why the agent counts as stuck, whether or not the plan could turn back. */
  readonly stuck: string | null;
  /** Ids of the recalled memory nodes, the most telling first. */
  readonly retrieved: readonly number[];
}

/** What a command did, as told to the model and kept for the record. */
export interface Observation {
  readonly callId: string;
  readonly exitCode: number;
  readonly timedOut: boolean;
  readonly interrupted: boolean;
  readonly background: boolean;
  /** Shown safely (no control bytes), cut to head and tail; `leftOutBytes` were cut. */
  readonly output: string;
  readonly totalBytes: number;
  readonly leftOutBytes: number;
  readonly seconds: number;
  /** The tool result's text, before any advice. */
  readonly content: string;
}

/**
 * Everything that happens in an episode, in order. The journal, the progress line, the viewer and
 * the tests know an episode through these alone; replayed through the pure core they rebuild it.
 */
export type EpisodeEvent =
  | {
      readonly type: "begin";
      readonly run: string;
      readonly instanceId: string | null;
      readonly task: string;
      readonly arm: string;
      readonly model: string;
      readonly environment: { readonly kind: string; readonly workdir: string };
      readonly base: BaseRecord;
      /** Where the work stands; left out where nothing can take it up later. */
      readonly site?: SiteRecord;
      /** false: a task that ends well without a patch. */
      readonly wantsPatch: boolean;
      readonly config: RunConfig;
      readonly version: string;
      /** The script that reproduces the issue, where there is one. */
      readonly reproducer?: Reproducer;
      /** What else is known of the issue, where memories across issues want to know. */
      readonly origin?: Pick<IssueIdentity, "repo" | "createdAt">;
      /** Absolute path of the folder with what the run leaves, where it leaves files. */
      readonly output?: string;
    }
  | { readonly type: "notice"; readonly text: string }
  /** Another process goes on with the run. Base and site count from here. */
  | {
      readonly type: "resume";
      readonly version: string;
      readonly base: BaseRecord;
      readonly site?: SiteRecord;
      /** The working copy or container is another one, rebuilt as far as it was saved. */
      readonly rebuilt: boolean;
      /** Limits that are others from here on. */
      readonly limits: LimitsRecord;
    }
  /** A workflow enters one of its stages; `text` says to people what it does there. */
  | {
      readonly type: "stage";
      readonly step: number;
      readonly stage: string;
      readonly text: string;
    }
  /** What a workflow asked before the reply that follows, each time a conversation of its own. */
  | {
      readonly type: "question";
      readonly step: number;
      readonly purpose: Purpose;
      readonly messages: readonly Message[];
    }
  | SearchEvent
  /** The two messages that open the conversation. */
  | { readonly type: "prompt"; readonly system: string; readonly task: string }
  | ({ readonly type: "retry"; readonly purpose: Purpose } & Retry)
  | {
      readonly type: "reply";
      readonly step: number;
      readonly purpose: Purpose;
      readonly message: AssistantMessage;
      readonly usage: Usage;
      /** US dollars; null when the price is unknown. */
      readonly cost: number | null;
      readonly stop: StopReason;
      readonly seconds: number;
    }
  | {
      readonly type: "format_error";
      readonly step: number;
      readonly kind: FormatErrorKind;
      /** One text for every call of the turn, or a user message when it held none. */
      readonly answers: readonly { readonly callId: string | null; readonly content: string }[];
    }
  /** Written before the command starts, so that a killed run knows what was in flight. */
  | {
      readonly type: "command";
      readonly step: number;
      readonly callId: string;
      /** What is run: the model's own command, unless the user put another in its place. */
      readonly command: string;
      /** What the user did to it or before it, for the end of the tool result. */
      readonly note?: string;
    }
  | ({ readonly type: "observation"; readonly step: number } & Observation)
  /** A call of an interrupted turn that was never started, and what the model is told of it. */
  | {
      readonly type: "skipped";
      readonly step: number;
      readonly callId: string;
      readonly content: string;
    }
  /** The repository as it stood after a command, kept outside the environment by its tree's name. */
  | {
      readonly type: "snapshot";
      readonly step: number;
      readonly callId: string;
      readonly tree: string;
      readonly bytes: number;
    }
  /** The context was full: tool results up to this step are shown as one line each from here on. */
  | {
      readonly type: "compact";
      readonly step: number;
      readonly upTo: number;
      readonly freed: number;
    }
  /** Something that the model must know of the run itself, at the end of the newest tool result. */
  | {
      readonly type: "remark";
      readonly about: "limit" | "raised" | "rebuilt";
      readonly step: number;
      readonly callId: string | null;
      readonly text: string;
    }
  | ({ readonly type: "integrity"; readonly step: number } & IntegrityRecord)
  /** The reproduction script starts, on the tree of this name. */
  | {
      readonly type: "check";
      readonly step: number;
      readonly callId: string;
      readonly signature: string;
    }
  | ({ readonly type: "verdict"; readonly step: number } & VerdictRecord)
  /** The repository's files at the start, where a planner or a memory wants to know them. */
  | { readonly type: "listing"; readonly files: readonly string[] }
  | ({ readonly type: "advice"; readonly step: number } & AdviceRecord)
  /** Memories across issues were asked: at the first tool result, or as a phase was entered. */
  | ({ readonly type: "experience"; readonly step: number } & BriefRecord)
  /** The submission protocol's text, when a command printed the sentinel and exited 0. */
  | {
      readonly type: "submission";
      readonly step: number;
      readonly text: string;
      /** The bytes, where the text does not give them. */
      readonly base64?: string;
    }
  | ({ readonly type: "patch" } & PatchRecord)
  | {
      readonly type: "end";
      readonly status: ExitStatus;
      readonly reason: string;
      readonly seconds: number;
    };

/** An event as stored and printed: `seq` counts from 0 within the run, `at` is epoch ms. */
export type RecordedEvent = EpisodeEvent & {
  readonly run: string;
  readonly seq: number;
  readonly at: number;
};
