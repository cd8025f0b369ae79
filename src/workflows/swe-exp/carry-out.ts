import { createFile, replaceString } from "./edit-code.ts";
import { findCode, type Looking } from "./find-code.ts";
import { type Outcome, shown } from "./outcome.ts";
import type { ToolCall } from "./tools.ts";
import { viewCode } from "./view-code.ts";
import { searchByWords } from "./word-search.ts";

/** Carries out one call of a tool on the repository as a node has it. */
export function carryOut(call: ToolCall, looking: Looking, viewLines: number): Promise<Outcome> {
  switch (call.tool) {
    case "FindClass":
    case "FindFunction":
    case "FindCodeSnippet":
      return findCode(call, looking);
    case "SemanticSearch":
      return searchByWords(call.input, looking);
    case "ViewCode":
      return viewCode(call.input, looking, viewLines);
    case "StringReplace":
      return replaceString(call.input, looking);
    case "CreateFile":
      return createFile(call.input, looking);
    case "Finish":
      return Promise.resolve(shown("Finished.", [], looking.overlay));
  }
}
