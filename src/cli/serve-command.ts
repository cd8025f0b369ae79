import { Command, InvalidArgumentError } from "@commander-js/extra-typings";
import { addExamples } from "./help-examples.ts";
import type { Io } from "./io.ts";

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new InvalidArgumentError("Expected a number from 0 to 65535.");
}

const append = (value: string, list: string[]) => [...list, value];

/** The command line of `pmcoder serve`: what it takes, and nothing of what it does. */
const serveCommandLine = () =>
  new Command("serve")
    .description("Plan and memory for another agent, for as long as it keeps the streams open.")
    .option("--stdio", "JSON-RPC on standard input and output: begin, observe, verdict, end")
    .option("--mcp", "the same, recall and status as MCP tools, for agents without hooks")
    .option("--http", "answer hooks of type http on this machine, until Ctrl-C")
    .option("--port <n>", "where --http listens (default: a free port)", portOf)
    .option("--state <dir>", "where sessions are kept (default: .pmcoder, or PMCODER_STATE)")
    .option("-c, --config <file|key=value>", "configuration, repeatable", append, []);

export type ServeFlags = ReturnType<ReturnType<typeof serveCommandLine>["opts"]>;

/** `pmcoder serve`. */
export function serveOf(io: Io, done: (code: number) => void) {
  const command = serveCommandLine().action(async (flags) => {
    const { serve } = await import("./serve.ts");
    done(await serve(flags, io));
  });
  return addExamples(command, [
    { line: "pmcoder serve --stdio", does: "for an adapter that starts it" },
    { line: "pmcoder serve --mcp", does: "as an MCP server: the command of an agent's settings" },
    { line: "pmcoder serve --http --port 4717", does: "hooks without the start of a process each" },
  ]);
}
