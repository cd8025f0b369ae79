import type { Step } from "../../domain/episode.ts";

/** Characters of one output that are kept of its beginning and of its end. Our choice. */
const outputEnds = 400;

/** Whether the results of its steps are told, or its thoughts and actions alone. */
export type RolloutDetail = "actions" | "results";

/**
 * An episode as text, oldest step first. What is too long loses its middle: how it began and how it
 * ended tell the most.
 */
export function rolloutText(steps: readonly Step[], detail: RolloutDetail, most: number): string {
  const parts = steps.map((step) => stepText(step, detail));
  const head: string[] = [];
  const tail: string[] = [];
  let room = most;
  let [from, to] = [0, parts.length - 1];
  for (let first = true; from <= to; first = !first) {
    const part = (first ? parts[from++] : parts[to--]) ?? "";
    room -= part.length + 1;
    if (room < 0) return [...head, `(${to - from + 2} steps left out)`, ...tail].join("\n");
    if (first) head.push(part);
    else tail.unshift(part);
  }
  return [...head, ...tail].join("\n");
}

function stepText({ index, thought, command, output, exitCode }: Step, detail: RolloutDetail) {
  const said = [`[${index}] ${oneLine(thought)}`.trimEnd(), `  did: ${oneLine(command)}`];
  if (detail === "actions") return said.join("\n");
  return [...said, `  got (${exitCode ?? "?"}): ${ends(output)}`].join("\n");
}

const oneLine = (text: string) => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 2 * outputEnds ? `${line.slice(0, 2 * outputEnds)}…` : line;
};

function ends(output: string): string {
  const text = output.trim();
  if (text.length <= 2 * outputEnds) return text;
  return `${text.slice(0, outputEnds)} … ${text.slice(-outputEnds)}`;
}
