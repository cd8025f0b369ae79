import type { Connector } from "./tokens.ts";

export interface Link {
  readonly connector: Connector;
  /** A condition, a loop's body, or negated. */
  readonly conditional: boolean;
}

/** What `set -e` and `set -o pipefail` change about a script's status. */
export interface ShellOptions {
  readonly exitsOnError: boolean;
  readonly pipefail: boolean;
}

/**
 * For each segment whether status 0 of the whole proves status 0 of it: it is run for sure, the
 * last of its pipeline, and only `&&` follows.
 */
export function decisive(links: readonly Link[], options: ShellOptions): readonly boolean[] {
  const mayBeSkipped = behindOr(links);
  const out: boolean[] = new Array(links.length).fill(false);
  let reaches = true;
  let isLast = true;
  for (let at = links.length - 1; at >= 0; at--) {
    const { connector, conditional } = links[at] ?? { connector: ";", conditional: true };
    out[at] = reaches && !conditional && !mayBeSkipped[at] && (isLast || options.pipefail);
    isLast = connector !== "|";
    if (isLast && !passesOn(connector, options)) reaches = false;
  }
  return out;
}

/** A failure before this connector shows in what comes after it. */
function passesOn(connector: Connector, { exitsOnError }: ShellOptions): boolean {
  return connector === "&&" || (connector === ";" && exitsOnError);
}

/** For each segment whether its pipeline stands behind `||`, so that it may never run. */
function behindOr(links: readonly Link[]): readonly boolean[] {
  let isBehind = false;
  return links.map(({ connector }) => {
    if (connector !== "|") isBehind = connector === "||";
    return isBehind;
  });
}
