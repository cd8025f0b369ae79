/**
 * Every failure that pmcoder itself raises. The code decides the exit status:
 * usage 2 · environment_lost 5 · image_missing 5 · model_unavailable 6 · storage and internal 1.
 * A command's nonzero exit and a reply without a tool call are data, never errors.
 */
export type ErrorCode =
  | "usage"
  | "environment_lost"
  | "image_missing"
  | "model_unavailable"
  | "context_exhausted"
  | "interrupted"
  | "storage"
  | "internal";

export class PmcoderError extends Error {
  override readonly name = "PmcoderError";
  readonly code: ErrorCode;

  /** `message`: what was expected, what was found, where, and what to do, in one sentence or two. */
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
