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
  /** Asks nobody. */
  readonly yes?: boolean | undefined;
  /** Asks in a sandbox too. */
  readonly confirm?: boolean | undefined;
  readonly io: Pick<Io, "stdin" | "stderr">;
  readonly signal: AbortSignal;
}

/**
 * Who is asked before a command: nobody in a sandbox or after --yes, unless --confirm wants it;
 * else the person at the terminal. Throws PmcoderError `usage` when nobody is there.
 */
export function consentFor({ kind, yes, confirm, io, signal }: ConsentInput): Approve {
  if (yes && confirm) {
    throw new PmcoderError("usage", "--confirm asks before every command and --yes before none.");
  }
  const sandboxed = kind !== "local";
  if ((sandboxed || yes) && !confirm) return approveAll;
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true) {
    throw new PmcoderError(
      "usage",
      confirm
        ? "--confirm asks at the terminal before every command, and nobody is there. Leave it out, or start pmcoder from a terminal."
        : "Commands would run on this machine without a sandbox, and nobody is at the terminal to consent. Install bubblewrap (--environment bubblewrap), use an image (--environment docker), or pass --yes.",
    );
  }
  return askEach({ input: io.stdin, output: io.stderr, signal, sandboxed });
}
