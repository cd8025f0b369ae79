import type { RecordedEvent } from "../domain/episode.ts";
import { cut, type Paint, visible } from "./terminal-text.ts";

type EventOf<Type extends RecordedEvent["type"]> = Extract<RecordedEvent, { type: Type }>;

interface Layout {
  readonly columns: number;
  readonly paint: Paint;
}

/** A node of a search: its parent, what was wanted, and what was done. */
export function nodeLine(event: EventOf<"node">, { columns, paint }: Layout): string {
  const { id, parent, instruction, action, error, duplicate, expectsCorrection } = event;
  const wanted = instruction === null ? "" : `  “${visible(instruction.instructions)}”`;
  const did = action?.tool ?? error ?? "nothing";
  const mark = duplicate ? " (as before)" : expectsCorrection ? " (failed)" : "";
  return `${paint("dim", `node ${id} below ${parent}`)}  ${cut(`${visible(did)}${mark}${wanted}`, columns - 20)}`;
}

/** What a node was judged to be worth. */
export function rewardLine(event: EventOf<"reward">, { columns, paint }: Layout): string {
  const { node, value, explanation } = event;
  const style = value > 0 ? "green" : "yellow";
  const said = cut(visible(explanation).replaceAll(/\s+/g, " "), columns - 24);
  return `${paint("dim", `node ${node}`)}  ${paint(style, `worth ${value}`)}  ${said}`.trimEnd();
}

/** Which node a search hands in. */
export function choiceLine({ node, by, reason }: EventOf<"choice">, { columns }: Layout): string {
  const how = { only: "as the only one", debate: "after a debate", "mean reward": "by its path" };
  const said = reason === "" ? "" : `: ${visible(reason)}`;
  return cut(`Node ${node} is chosen ${how[by]}${said}`, columns);
}
