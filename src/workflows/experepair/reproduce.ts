import type { Message } from "../../domain/message.ts";
import { runScriptText, type Script } from "../command-text.ts";
import type { WorkflowRun } from "../workflow-run.ts";
import { askUntil, Complaint } from "./conversation.ts";
import { exampleTest } from "./example-test.ts";
import { shownOutput } from "./output.ts";
import { scriptIn, tagIn } from "./replies.ts";
import { checkTest, rewriteTest, type TestRound, writeTest } from "./test-prompts.ts";

/** What came of the rounds of testing. */
export interface Reproduction {
  /** The script that shows the issue, else the newest that could be run; null: none could. */
  readonly script: Script | null;
  /** What it prints on the base. */
  readonly output: string;
  readonly reproduced: boolean;
  /** Rounds that it took. */
  readonly rounds: number;
}

const tester = { phase: "hypothesize", role: "tester" } as const;

/** Writes scripts until one shows the issue, each by what was wrong with the ones before it. */
export async function reproduce(run: WorkflowRun): Promise<Reproduction> {
  const { testRounds } = run.config.workflow.experepair;
  await run.enter("reproduce", "writes a script that reproduces the issue");
  const opening = writeTest(run, {
    example: await exampleTest(run),
    memories: await run.recall({ ...tester, refining: false, failure: null }),
  });
  const rounds: TestRound[] = [];
  while (rounds.length < testRounds) {
    const round = await testRound(run, opening, rounds);
    rounds.push(round);
    if (round.reproduced) break;
  }
  const best = rounds.findLast(({ script }) => script !== null);
  return {
    script: best?.script ?? null,
    output: best?.output ?? "",
    reproduced: rounds.at(-1)?.reproduced ?? false,
    rounds: rounds.length,
  };
}

async function testRound(
  run: WorkflowRun,
  opening: readonly Message[],
  before: readonly TestRound[],
): Promise<TestRound> {
  const newest = before.at(-1);
  const messages = newest
    ? rewriteTest(opening, before, await correctionsFor(run, newest))
    : opening;
  const reply = await run.ask({ purpose: "test", messages });
  const script = scriptIn(reply);
  const lost = { reply, script, output: "", analysis: "", advice: "", reproduced: false };
  if (script === null) {
    await run.note("A reply held no script, so that round of testing is lost.");
    return lost;
  }
  const output = await runOn(run, script, "");
  return { ...lost, output, ...(await check(run, checkTest(messages, reply, output))) };
}

/** What earlier issues show of scripts that failed like this one. */
function correctionsFor(run: WorkflowRun, { script, output }: TestRound): Promise<string> {
  const tried = script && { failure: output, attempt: script.text };
  return run.recall({ ...tester, entry: 2, refining: true, failure: null, ...tried });
}

/** What a script prints with a patch laid on the base. */
export async function runOn(run: WorkflowRun, script: Script, patch: string): Promise<string> {
  const { scriptTimeoutSec: timeoutSec, outputChars } = run.config.workflow.experepair;
  const command = runScriptText(script, "reproduce");
  return shownOutput(await run.execute({ patch, command, timeoutSec }), outputChars);
}

type Check = Pick<TestRound, "analysis" | "advice" | "reproduced">;

/** A check that cannot be read counts as a no without advice. */
async function check(run: WorkflowRun, messages: readonly Message[]): Promise<Check> {
  const { tries } = run.config.workflow.experepair;
  const read = await askUntil(run, { purpose: "check", messages, tries }, readCheck);
  return read ?? { analysis: "", advice: "", reproduced: false };
}

/** The verdict of a check, with its reasons. */
export function readCheck(reply: string): Check | Complaint {
  const verdict = tagIn(reply, "reproduced")?.toUpperCase();
  if (verdict !== "YES" && verdict !== "NO") {
    return new Complaint(
      "it does not say <reproduced>YES</reproduced> or <reproduced>NO</reproduced>",
    );
  }
  const [analysis, advice] = [tagIn(reply, "analysis") ?? "", tagIn(reply, "advice") ?? ""];
  return { analysis, advice, reproduced: verdict === "YES" };
}
