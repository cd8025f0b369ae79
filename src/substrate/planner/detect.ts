import type { Phase } from "../../domain/phase.ts";
import type { DetectorState } from "../../domain/plan.ts";
import type { SegmentClass } from "../shell/action.ts";
import {
  asksAboutTools,
  asksForVersion,
  type DetectInput,
  type DetectRules,
  does,
  editsSource,
  looksForCause,
  preparesEdit,
  probesSource,
  readsOwnWork,
  remember,
  reviewsOrSetsUp,
  type SeenCall,
  seenCall,
} from "./seen-call.ts";

type StepKind = Exclude<SegmentClass, "neutral" | "other"> | "none";

export interface Detection {
  /** null: the call says nothing about the phase. */
  readonly phase: Phase | null;
  /** Name of the rule that decided, as in the table below. */
  readonly rule: string;
  /** What the call is, by the class behind that rule. */
  readonly kind: StepKind;
  /** It ran tests, the reproducer, or something announced as a check, on a tree with a fix. */
  readonly isCheck: boolean;
  /** What to remember for the next call. */
  readonly next: DetectorState;
}

interface Rule {
  readonly name: string;
  readonly when: (seen: SeenCall) => boolean;
  readonly phase: (seen: SeenCall) => Phase | null;
  readonly kind: (seen: SeenCall) => StepKind;
}

function rule(
  name: string,
  when: Rule["when"],
  phase: Rule["phase"] | Phase | null,
  kind: Rule["kind"] | StepKind,
): Rule {
  return {
    name,
    when,
    phase: typeof phase === "function" ? phase : () => phase,
    kind: typeof kind === "function" ? kind : () => kind,
  };
}

/** Before a fix a run looks for the cause; after it the same run checks the fix. */
const probeOrCheck = ({ fixing }: SeenCall): Phase => (fixing ? "verify" : "hypothesize");

/**
 * The ordered rules; the first whose condition holds decides (arXiv:2608.06811, III-B: four signal
 * classes, mutation over inspection, one-off diagnostics are hypothesis-building, test execution or
 * explicit verification language is verification). The order of D0 to D11, what each names, and
 * that a fix standing in the tree turns probes into checks, are our choice; runs labelled by
 * reading judge them.
 */
const table: readonly Rule[] = [
  rule("D0 submits", does("submit"), null, "submit"),
  // A print put into source looks for the cause, whatever file it stands in.
  rule("D1a puts a probe in", probesSource, "hypothesize", "edit"),
  rule("D1 edits source", editsSource, "implement", "edit"),
  // A patch script is the edit being written; a test in the tests' folder is meant to stay.
  rule("D1b prepares an edit", preparesEdit, "implement", "edit"),
  // Reverting and testing in one command asks whether a failure was there before.
  rule("D2a tests without the change", both(does("revert"), does("test")), probeOrCheck, "test"),
  rule("D2 reverts", does("revert"), "implement", "revert"),
  rule("D3 tests", does("test"), testing, "test"),
  rule("D4 runs after a fix", both(isFixing, does("execute")), "verify", "execute"),
  rule("D5 edits scratch files", does("edit"), probeOrCheck, "edit"),
  rule("D6a asks for a version", asksForVersion, "explore", "execute"),
  rule("D6 runs", does("execute"), probeOrCheck, "execute"),
  // A program that no table names is most often the project's own.
  rule("D6b runs a program", does("other"), probeOrCheck, "none"),
  rule("D7 asks history", does("history"), "hypothesize", "history"),
  rule("D9a looks at its own work", readsOwnWork, probeOrCheck, lookKind),
  // Why does the test runner not start: part of the check.
  rule("D9b looks at the tools", both(isFixing, asksAboutTools), "verify", "inspect"),
  rule("D8 looks with a cause in mind", looksForCause, "hypothesize", lookKind),
  rule("D9 looks", does("inspect"), "explore", "inspect"),
  // Where the output is caught in a file nobody looks at it.
  rule("D10a reviews or sets up", both(isFixing, reviewsOrSetsUp), "verify", quietKind),
  rule(
    "D10 says it verifies",
    both(isFixing, ({ signals }) => signals.verifies),
    "verify",
    quietKind,
  ),
  rule("D10 names a cause", ({ signals }) => signals.diagnoses, "hypothesize", quietKind),
  rule("D10 says it explores", ({ signals }) => signals.explores, "explore", quietKind),
  rule("D11 says nothing", () => true, null, quietKind),
];

/** The phase that one call proposes, by rule, and what the next call's decision needs of it. */
export function detect(state: DetectorState, input: DetectInput, rules: DetectRules): Detection {
  const seen = seenCall(state, input, rules);
  const decisive = table.find(({ when }) => when(seen));
  const phase = decisive?.phase(seen) ?? null;
  return {
    phase,
    rule: decisive?.name ?? "",
    kind: decisive?.kind(seen) ?? "none",
    isCheck: phase === "verify" && checks(seen),
    next: remember(seen),
  };
}

function both(one: Rule["when"], other: Rule["when"]): Rule["when"] {
  return (seen) => one(seen) && other(seen);
}

function isFixing({ fixing }: SeenCall): boolean {
  return fixing;
}

function testing({ fixing, rules }: SeenCall): Phase {
  return fixing || !rules.testBeforeEditIsHypothesis ? "verify" : "hypothesize";
}

function lookKind(seen: SeenCall): StepKind {
  return does("inspect")(seen) ? "inspect" : "review";
}

function quietKind(seen: SeenCall): StepKind {
  if (does("review")(seen)) return "review";
  return does("setup")(seen) ? "setup" : "none";
}

/** Only what ran something on the tree with the fix in order to check it. */
function checks(seen: SeenCall): boolean {
  if (does("revert")(seen)) return false;
  if (does("test")(seen)) return true;
  const { action, reproducer, signals } = seen;
  const runsReproducer = action.segments.some(
    ({ script }) => script !== null && script === reproducer,
  );
  return does("execute")(seen) && (runsReproducer || signals.verifies);
}
