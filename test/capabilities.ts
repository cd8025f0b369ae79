const required = (process.env["PMCODER_REQUIRE"] ?? "").split(",").map((name) => name.trim());

function decide(name: string, has: boolean): boolean {
  if (!has && required.includes(name)) {
    throw new Error(`PMCODER_REQUIRE names "${name}", but this machine does not have it.`);
  }
  if (!has) process.stderr.write(`skipped: tests that need "${name}", which is not here\n`);
  return has;
}

/**
 * Whether tests that need something of the machine run; for `describe.runIf`. Without it they are
 * skipped, and it is said; it throws instead when PMCODER_REQUIRE names it.
 */
export function capable(name: string, probe: () => boolean): boolean;
export function capable(name: string, probe: () => Promise<boolean>): Promise<boolean>;
export function capable(
  name: string,
  probe: () => boolean | Promise<boolean>,
): boolean | Promise<boolean> {
  const has = probe();
  return typeof has === "boolean" ? decide(name, has) : has.then((value) => decide(name, value));
}
