import type { ParsedLog, TestStatus } from "./status.ts";

/** From best to worst. A test that failed once has failed, whatever else the log says of it. */
const ranks: readonly TestStatus[] = ["PASSED", "XFAIL", "SKIPPED", "FAILED", "ERROR"];

/** What strict parsers gather: the worst status of a test, and the names it may be known by. */
export class StrictResults implements ParsedLog {
  readonly statuses = new Map<string, TestStatus>();
  readonly aliases = new Map<string, Set<string>>();

  add(id: string, status: TestStatus, aliases: readonly string[]): void {
    const earlier = this.statuses.get(id);
    if (!earlier || ranks.indexOf(status) > ranks.indexOf(earlier)) this.statuses.set(id, status);
    for (const alias of aliases) {
      if (alias !== id) this.aliases.set(alias, (this.aliases.get(alias) ?? new Set()).add(id));
    }
  }
}
