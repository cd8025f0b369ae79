import { z } from "zod";
import type { CallResult, ForeignEpisode, Turn } from "./foreign.ts";
import { issueIn } from "./issue-text.ts";
import { MessageText, objectOf, TextOrNull } from "./message-text.ts";
import { parseJson } from "./salvage.ts";
import { bashOf, type Editor, editorAfter } from "./swe-agent-action.ts";

const TrajectoryStep = z.looseObject({
  action: MessageText.default(""),
  observation: MessageText.default(""),
  response: MessageText.default(""),
  thought: MessageText.default(""),
  state: z.unknown().optional(),
});
type TrajectoryStep = z.infer<typeof TrajectoryStep>;

const HistoryMessage = z.looseObject({
  role: z.string(),
  content: MessageText.default(""),
  action: TextOrNull.optional(),
  thought: TextOrNull.optional(),
  is_demo: z.boolean().optional().catch(undefined),
});
type HistoryMessage = z.infer<typeof HistoryMessage>;

const Info = z.looseObject({
  exit_status: TextOrNull.default(null),
  submission: TextOrNull.default(null),
});

/** A `.traj` file, of which demonstrations keep the history alone. */
export const SweAgentFile = z
  .looseObject({
    trajectory: z.array(TrajectoryStep).optional(),
    history: z.array(HistoryMessage).default([]),
    info: Info.catch(Info.parse({})).default(Info.parse({})),
    replay_config: z.unknown().optional(),
  })
  .refine(({ trajectory, history }) => trajectory !== undefined || history.length > 0);
type SweAgentFile = z.infer<typeof SweAgentFile>;

/** The prompt line that closes each observation in the history. */
const promptLine = /\n?\(Open file: (.*?)\)\n\(Current directory: (.*?)\)\nbash-\$\s*$/;

/** The steps that a history tells: each reply with the message after it. */
function stepsIn(history: readonly HistoryMessage[]): readonly TrajectoryStep[] {
  return history.flatMap((message, at) => {
    if (message.role !== "assistant") return [];
    const answer = history[at + 1];
    const shown = answer && answer.role !== "assistant" ? answer.content : "";
    const [, open_file, working_dir] = promptLine.exec(shown) ?? [];
    return [
      {
        action: message.action ?? "",
        thought: message.thought ?? message.content,
        response: message.content,
        observation: shown.replace(promptLine, ""),
        state: { open_file, working_dir },
      },
    ];
  });
}

function stateOf({ state }: TrajectoryStep, key: "open_file" | "working_dir"): string | null {
  const value = objectOf(typeof state === "string" ? parseJson(state)?.value : state)?.[key];
  return typeof value === "string" ? value : null;
}

const refused = /^(?:Interactive o|O)peration '.*' is not supported by this environment/;
const stopped = /EXECUTION TIMED OUT|was cancelled because it took more than [\d.]+ seconds/;

function resultOf(exitCode: number | null, observation: string): CallResult {
  const timedOut = exitCode === null && stopped.test(observation);
  return { output: observation, exitCode: timedOut ? 124 : exitCode, timedOut };
}

/** Its harness writes `exit_cost` and the like where a reply was never asked for. */
const isHarness = ({ action }: TrajectoryStep) => /^exit_\w+$/.test(action.trim());

function turnOf(step: TrajectoryStep, index: number, before: Editor): Turn {
  const { action, observation, response } = step;
  const thought = step.thought.trim();
  const content = response === "" ? thought : response;
  if (action.trim() === "") return { index, thought, content, calls: [], rejected: false };
  const { command, exitCode } = bashOf(action, observation, before);
  const rejected = refused.test(observation);
  const result = rejected ? null : resultOf(exitCode, observation);
  return { index, thought, content, calls: [{ id: `call_${index}_1`, command, result }], rejected };
}

function turnsOf(steps: readonly TrajectoryStep[]): readonly Turn[] {
  let editor: Editor = { file: "", cursors: [1, 1] };
  return steps.map((step, at) => {
    const turn = turnOf(step, at + 1, editor);
    editor = editorAfter(editor, step, stateOf(step, "open_file"));
    return turn;
  });
}

/** The instance of a file named `ID.traj`, or `RUN__install-N__ID.traj` as old run folders are. */
function idFromName(name: string): string | null {
  const base = /([^/\\]+?)(?:\.traj)?(?:\.json)?(?:\.gz)?$/.exec(name)?.[1] ?? "";
  const parts = base.replace(/^.*__install-\d+__/, "").split("__");
  return parts.slice(-2).join("__") || null;
}

/**
 * A SWE-agent run, 0.x or 1.x. Exit codes of shell commands are not recorded there. Its file does
 * not name the instance; its own file name does.
 */
export function readSweAgent(file: SweAgentFile, name: string, cut: boolean): ForeignEpisode {
  const history = file.history.filter(({ is_demo }) => is_demo !== true);
  const prompt = history.find(({ role }) => role === "user")?.content ?? "";
  const steps = file.trajectory ?? stepsIn(history);
  const { replay_config: stored, info } = file;
  const replay = objectOf(typeof stored === "string" ? parseJson(stored)?.value : stored);
  const model = objectOf(objectOf(replay?.["agent"])?.["model"])?.["name"];
  return {
    format: "swe-agent",
    instanceId: idFromName(name),
    task: issueIn(prompt),
    model: typeof model === "string" ? model : null,
    workdir: steps[0] ? stateOf(steps[0], "working_dir") : null,
    exitStatus: info.exit_status,
    submission: info.submission,
    turns: turnsOf(steps.filter((step) => !isHarness(step))),
    cut,
  };
}
