import type { Generation } from "./log-parsers.ts";
import type { ParsedLog, TestStatus } from "./status.ts";

/** The lists of a row whose tests decide. */
export type ExpectedList = "FAIL_TO_PASS" | "PASS_TO_PASS";

/** What becomes of an expected test; `uncounted`: it stands in neither list of the report. */
type Outcome = "success" | "failure" | "uncounted";

const passing: ReadonlySet<TestStatus> = new Set(["PASSED", "XFAIL"]);
/** A test that is skipped where it passed before is no regression, since v5. */
const maintained: ReadonlySet<TestStatus> = new Set([...passing, "SKIPPED"]);
const failing: ReadonlySet<TestStatus> = new Set(["FAILED", "ERROR"]);
const notPassing: ReadonlySet<TestStatus> = new Set([...failing, "SKIPPED"]);

interface Counts {
  readonly success: ReadonlySet<TestStatus>;
  readonly failure: ReadonlySet<TestStatus>;
}

interface Rules {
  /** The tests of a log that an expected id names. */
  readonly find: (id: string, log: ParsedLog) => readonly string[];
  readonly counts: Readonly<Record<ExpectedList, Counts>>;
}

/** 676 ids of SWE-bench Verified were cut within their options: `test_x[a` of `test_x[a b]`. */
function isCut(id: string): boolean {
  return id.split("[").length > id.split("]").length;
}

function beginningWith(id: string, { statuses }: ParsedLog): readonly string[] {
  return [...statuses.keys()].filter((name) => name.startsWith(id));
}

function findExact(id: string, { statuses }: ParsedLog): readonly string[] {
  return statuses.has(id) ? [id] : [];
}

/** A cut id stands for the first test that begins so, if all that do have passed or none has. */
function findByFirst(id: string, log: ParsedLog): readonly string[] {
  if (log.statuses.has(id) || !isCut(id)) return findExact(id, log);
  const names = beginningWith(id, log);
  const passed = names.filter((name) => passing.has(log.statuses.get(name) ?? "UNKNOWN"));
  return passed.length === 0 || passed.length === names.length ? names.slice(0, 1) : [];
}

/** A docstring, a bare name or a cut id stands for every test that it can mean. */
function findAll(id: string, log: ParsedLog): readonly string[] {
  if (log.statuses.has(id)) return [id];
  const named = log.aliases.get(id);
  if (named) return [...named];
  return isCut(id) ? beginningWith(id, log) : [];
}

const v5Counts: Rules["counts"] = {
  FAIL_TO_PASS: { success: passing, failure: notPassing },
  PASS_TO_PASS: { success: maintained, failure: failing },
};

const rules: Readonly<Record<Generation, Rules>> = {
  v4: {
    find: findExact,
    counts: {
      FAIL_TO_PASS: { success: passing, failure: failing },
      PASS_TO_PASS: { success: passing, failure: failing },
    },
  },
  v5: { find: findByFirst, counts: v5Counts },
  strict: { find: findAll, counts: v5Counts },
};

export interface ExpectedOutcomes {
  readonly success: readonly string[];
  readonly failure: readonly string[];
  /** Those of `failure` of which the log says nothing, or nothing certain. */
  readonly missing: readonly string[];
}

function outcomeOf(statuses: readonly TestStatus[], { success, failure }: Counts): Outcome {
  if (statuses.length === 0) return "failure";
  if (statuses.every((status) => success.has(status))) return "success";
  return statuses.some((status) => failure.has(status)) ? "failure" : "uncounted";
}

/** What became of each expected test of a list, in the list's order. */
export function outcomesOf(
  ids: readonly string[],
  list: ExpectedList,
  log: ParsedLog,
  generation: Generation,
): ExpectedOutcomes {
  const { find, counts } = rules[generation];
  const judged = ids.map((id) => {
    const names = find(id, log);
    const statuses = names.map((name) => log.statuses.get(name) ?? "UNKNOWN");
    return { id, missing: names.length === 0, outcome: outcomeOf(statuses, counts[list]) };
  });
  const having = (outcome: Outcome) => judged.filter((test) => test.outcome === outcome);
  return {
    success: having("success").map(({ id }) => id),
    failure: having("failure").map(({ id }) => id),
    missing: judged.filter(({ missing }) => missing).map(({ id }) => id),
  };
}

/** `fail_only` rows: their parsers take down failures, so a test of which nothing is said passed. */
export function failOnlyOutcomes(
  ids: readonly string[],
  { statuses }: ParsedLog,
): ExpectedOutcomes {
  const failed = (id: string) => statuses.get(id) === "FAILED";
  return {
    success: ids.filter((id) => !failed(id)),
    failure: ids.filter(failed),
    missing: [],
  };
}
