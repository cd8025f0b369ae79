import type { Span } from "../../domain/search-tree.ts";
import { excerpt } from "./code-text.ts";
import type { Looking } from "./find-code.ts";
import { failed, type Outcome, shown } from "./outcome.ts";
import type { ToolCall } from "./tools.ts";

type View = Extract<ToolCall, { tool: "ViewCode" }>["input"];

/** Lines of files with their numbers; a file that is not there is told and spoils nothing. */
export async function viewCode(
  { files }: View,
  { workspace, overlay, chars }: Looking,
  lines: number,
): Promise<Outcome> {
  const texts: string[] = [];
  const seen: Span[] = [];
  const share = Math.floor(chars / files.length);
  for (const { path, start_line: start = 1, end_line: end } of files) {
    const file = workspace.find(path, overlay);
    const text = file === null ? null : await workspace.text(file, overlay);
    if (file === null || text === null) {
      texts.push(file === null ? workspace.unknown(path) : `${path} is no text file.`);
      continue;
    }
    const last = Math.min(end ?? start + lines - 1, start + lines - 1);
    const part = excerpt(file, text, start, last);
    texts.push(cut(part.text, share));
    seen.push(part.span);
  }
  const observation = texts.join("\n\n");
  return seen.length === 0 ? failed(observation, overlay) : shown(observation, seen, overlay);
}

function cut(text: string, chars: number): string {
  if (text.length <= chars) return text;
  return `${text.slice(0, chars)}\n(cut here: ask for fewer lines)`;
}
