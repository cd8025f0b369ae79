/** A command that looked, or tried to look, at what came after the run's base. */
export interface Peek {
  /** The assistant turn, from 1. */
  readonly step: number;
  /** As the model wrote it, cut at 400 characters. */
  readonly command: string;
  /** What it looked at and how, for people. */
  readonly reason: string;
}
