import type { ExitStatus } from "../domain/episode.ts";
import { type ErrorCode, PmcoderError } from "../domain/errors.ts";
import type { Env } from "./env.ts";

/** Everything a process of pmcoder can end with. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 130 | 143;

const codeOfStatus: Record<ExitStatus, ExitCode> = {
  submitted: 0,
  step_limit: 3,
  cost_limit: 3,
  time_limit: 3,
  context_exhausted: 3,
  format_errors: 4,
  no_patch: 4,
  environment_lost: 5,
  image_missing: 5,
  model_unavailable: 6,
  interrupted: 130,
  error: 1,
};

const codeOfError: Record<ErrorCode, ExitCode> = {
  usage: 2,
  environment_lost: 5,
  image_missing: 5,
  model_unavailable: 6,
  context_exhausted: 3,
  interrupted: 130,
  storage: 1,
  internal: 1,
};

/** The process exit status of a finished run; `signal` is the one that interrupted it. */
export function exitCodeOf(status: ExitStatus, signal?: NodeJS.Signals): ExitCode {
  return status === "interrupted" && signal === "SIGTERM" ? 143 : codeOfStatus[status];
}

/** The process exit status of a command that ended with an error. */
export function exitCodeOfError(error: unknown, signal?: NodeJS.Signals): ExitCode {
  if (!(error instanceof PmcoderError)) return 1;
  return error.code === "interrupted" && signal === "SIGTERM" ? 143 : codeOfError[error.code];
}

const systemReasons: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left on the device",
  EDQUOT: "the disk quota is used up",
};

/**
 * An error as a person reads it, without a stack. With PMCODER_DEBUG=1 the stack and those of its
 * causes follow.
 */
export function explain(error: unknown, env: Env): string {
  const sentence = knownFailure(error);
  if (env.PMCODER_DEBUG === "1") {
    return [sentence ?? internalFailure(error, "Report this"), ...stacksOf(error)].join("\n");
  }
  return (
    sentence ?? internalFailure(error, "Run it again with PMCODER_DEBUG=1 and report the output")
  );
}

function knownFailure(error: unknown): string | null {
  if (error instanceof PmcoderError && error.code !== "internal") return error.message;
  const reason = systemReasons[String(propertyOf(error, "code"))];
  return reason ? `${propertyOf(error, "path") ?? "A file"} cannot be used: ${reason}.` : null;
}

function internalFailure(error: unknown, advice: string): string {
  const message = error instanceof Error ? error.message : String(error);
  return `internal error: ${message}\nThe fault is pmcoder's. ${advice} to its issue tracker.`;
}

function propertyOf(error: unknown, name: "code" | "path"): unknown {
  return error instanceof Error ? Reflect.get(error, name) : undefined;
}

function stacksOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  return [error.stack ?? error.message, ...stacksOf(error.cause)];
}
