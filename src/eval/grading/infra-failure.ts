/** `environment`: no patch can cause it. `ambiguous`: a bad patch can look the same. */
export interface InfraFailure {
  readonly reason: string;
  readonly tier: "environment" | "ambiguous";
}

type Sign = string | RegExp;

/** The signs of v5, in the order in which it asks for them; the first that a text has, counts. */
const signs: readonly (InfraFailure & { readonly signs: readonly Sign[] })[] = [
  {
    reason: "browser_launch_failed",
    tier: "environment",
    signs: ["Failed to launch", "Failed to connect to the bus"],
  },
  {
    reason: "display_unavailable",
    tier: "environment",
    signs: ["cannot open display", "Missing X server", "unable to open X display"],
  },
  {
    reason: "out_of_memory",
    tier: "environment",
    signs: ["Cannot allocate memory", "OutOfMemoryError", /(?:^|\n)Killed(?:\n|$)/],
  },
  {
    reason: "container_unavailable",
    tier: "environment",
    signs: ["Error response from daemon", "Cannot connect to the Docker daemon"],
  },
  {
    reason: "network_unreachable",
    tier: "environment",
    signs: ["Could not resolve host", "Temporary failure in name resolution"],
  },
  {
    reason: "missing_module",
    tier: "ambiguous",
    signs: ["Cannot find module", "MODULE_NOT_FOUND", "ModuleNotFoundError"],
  },
  {
    reason: "no_tests_collected",
    tier: "ambiguous",
    signs: ["no tests ran", "collected 0 items"],
  },
  {
    reason: "tests_timed_out",
    tier: "ambiguous",
    signs: [/Timeout error: \d+ seconds exceeded/],
  },
];

function shows(text: string, sign: Sign): boolean {
  return typeof sign === "string" ? text.includes(sign) : sign.test(text);
}

/**
 * What in a log, or in the message of an error, speaks for a broken environment rather than a wrong
 * patch; null: nothing. It is told beside the result and changes none.
 */
export function infraFailureIn(text: string): InfraFailure | null {
  const found = signs.find((failure) => failure.signs.some((sign) => shows(text, sign)));
  return found ? { reason: found.reason, tier: found.tier } : null;
}
