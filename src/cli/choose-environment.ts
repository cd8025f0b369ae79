import type { RunConfig } from "../domain/config/run-config.ts";
import { PmcoderError } from "../domain/errors.ts";
import { bubblewrapWorks } from "../environments/bubblewrap.ts";
import { type Approve, approveAll, askEach } from "./consent.ts";
import type { Io } from "./io.ts";

export type Kind = NonNullable<RunConfig["environment"]["kind"]>;

/**
 * Where commands will run: as asked; else in docker when there is an image, named or known from an
 * instance; else in the safest that works here.
 */
export async function chooseEnvironment(
  { kind }: RunConfig["environment"],
  image: string | null,
): Promise<Kind> {
  if (kind !== null) return kind;
  if (image !== null) return "docker";
  return (await bubblewrapWorks()).ok ? "bubblewrap" : "local";
}

export interface ConsentInput {
  readonly kind: Kind;
  readonly yes: boolean;
  readonly io: Pick<Io, "stdin" | "stderr">;
  readonly signal: AbortSignal;
}

/** Who is asked before a command: nobody in a sandbox or after --yes, else the person at the terminal. */
export function consentFor({ kind, yes, io, signal }: ConsentInput): Approve {
  if (kind !== "local" || yes) return approveAll;
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true) {
    throw new PmcoderError(
      "usage",
      "Commands would run on this machine without a sandbox, and nobody is at the terminal to consent. Install bubblewrap (--environment bubblewrap), use an image (--environment docker), or pass --yes.",
    );
  }
  return askEach({ input: io.stdin, output: io.stderr, signal });
}
