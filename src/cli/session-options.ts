import { Option } from "@commander-js/extra-typings";
import { addBreakpoint } from "./breakpoints.ts";

/** Options of whoever is at the terminal while a run lives: of `run` and `resume` alike. */
export const yes = new Option("--yes", "do not ask before commands of an unprotected environment");
export const confirm = new Option("--confirm", "ask before every command, in a sandbox too");
export const view = new Option(
  "--view",
  "show the run in a browser; its page closes with it (then: pmcoder view last)",
);
export const debug = new Option(
  "--debug",
  "stop before commands and ask at the terminal: inspect, edit, skip, go on",
);
export const breakpoint = new Option(
  "--break <where>",
  "where --debug stops, repeatable: step=N, phase=NAME, file=PATH, stuck (default: everywhere)",
)
  .default([] as ReturnType<typeof addBreakpoint>)
  .argParser(addBreakpoint);
export const json = new Option(
  "--json",
  "events on standard output, one JSON object a line; the last is the summary",
);
