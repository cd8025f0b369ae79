import { plural } from "../domain/quantities.ts";
import type { Replay, ReplayedTurn } from "../eval/replay.ts";
import { kindOf, type ReplayLine, replayLine } from "../eval/replay-line.ts";
import { cut, type Paint, visible, widthOf } from "./terminal-text.ts";

export interface TableLayout {
  readonly columns: number;
  readonly paint: Paint;
}

/** Widths of step, phase, kind and recalled nodes; the action takes what is left. */
const widths = { step: 4, phase: 11, kind: 7, recalled: 8 };
const gap = "  ";

/** One episode for people: a line a step, and below it what the plan or a loop hint said. */
export function episodeTable(replay: Replay, layout: TableLayout): readonly string[] {
  const { columns, paint } = layout;
  const head = [
    "step".padStart(widths.step),
    "phase".padEnd(widths.phase),
    "kind".padEnd(widths.kind),
    "recalled".padStart(widths.recalled),
    "action",
  ].join(gap);
  return [
    paint("bold", cut(visible(titleOf(replay)), columns)),
    paint("dim", cut(head, columns)),
    ...replay.turns.flatMap((turn, index) => rowsOf(turn, replay.turns[index - 1], layout)),
  ];
}

function titleOf({ instanceId, turns, end }: Replay): string {
  const blocks = turns.filter(({ advice }) => advice.some(({ block }) => block !== null)).length;
  const parts = [plural(turns.length, "step"), `${plural(blocks, "block")} (+)`];
  const { plan } = end;
  if (plan) parts.push(plural(plan.backtracks, "backtrack"));
  return `${instanceId ?? "(no instance)"}: ${parts.join(", ")}`;
}

function rowsOf(
  turn: ReplayedTurn,
  before: ReplayedTurn | undefined,
  { columns, paint }: TableLayout,
): readonly string[] {
  const line = replayLine(null, turn);
  const phase = (turn.phase ?? "").padEnd(widths.phase);
  const isNew = turn.phase !== (before?.phase ?? null);
  const recalled = line.retrieved.length === 0 ? "" : String(line.retrieved.length);
  const left = [
    String(turn.step).padStart(widths.step),
    phase,
    kindOf(turn).padEnd(widths.kind),
    `${recalled}${line.block === null ? " " : "+"}`.padStart(widths.recalled),
  ].join(gap);
  const room = columns - widthOf(left) - gap.length;
  const action = cut(visible(actionOf(turn, line)), room);
  const painted = isNew ? left.replace(phase, paint("cyan", phase)) : left;
  const notes = notesOf(line).map(
    ({ style, text }) => `${" ".repeat(widths.step)}${gap}${paint(style, cut(text, columns - 6))}`,
  );
  return [`${painted}${gap}${turn.rejected ? paint("dim", action) : action}`.trimEnd(), ...notes];
}

function actionOf({ rejected }: ReplayedTurn, { action }: ReplayLine): string {
  return rejected ? "(rejected by its harness)" : (action.normalized ?? "");
}

function notesOf({ stuck, hint }: ReplayLine) {
  const notes: { style: "red" | "yellow"; text: string }[] = [];
  if (stuck?.suppressed === null) {
    notes.push({ style: "red", text: `backtrack (${stuck.template}): ${visible(stuck.reason)}` });
  }
  if (stuck?.suppressed) {
    const text = `stuck, held back by the ${stuck.suppressed}: ${visible(stuck.reason)}`;
    notes.push({ style: "yellow", text });
  }
  if (hint !== null) notes.push({ style: "yellow", text: `loop: ${visible(hint)}` });
  return notes;
}
