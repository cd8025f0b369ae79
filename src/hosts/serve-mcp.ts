import type { Readable, Writable } from "node:stream";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Sidecar } from "./sidecar.ts";
import {
  BeginParams,
  ObserveFields,
  RecallParams,
  SessionParams,
  VerdictParams,
} from "./sidecar-params.ts";

const instructions =
  "Plan and memory of the work on one issue. Call begin once with the task, observe after every command or edit with what it printed, and read the block that comes back: it says which phase and sub-task the work is in and what was seen earlier that matters now. recall looks into what was seen; status shows the plan.";

const tools = {
  begin: { shape: BeginParams.shape, does: "Begin a session, or go on with a known one." },
  observe: {
    shape: ObserveFields.shape,
    does: "Tell of a command or tool call that ran; the block that is due comes back.",
  },
  verdict: { shape: VerdictParams.shape, does: "Tell what the reproduction script says now." },
  end: { shape: SessionParams.shape, does: "End a session; its log is kept." },
  recall: {
    shape: RecallParams.shape,
    does: "What of this session matters now, or of some words.",
  },
  status: {
    shape: SessionParams.shape,
    does: "The plan, the files, and the counts as they stand.",
  },
} as const;

/** Offers the sidecar's methods as MCP tools on two streams, until the input ends. */
export async function serveMcp(
  sidecar: Sidecar,
  {
    input,
    output,
    version,
  }: { readonly input: Readable; readonly output: Writable; readonly version: string },
): Promise<void> {
  const server = new McpServer({ name: "pmcoder", version }, { instructions });
  for (const name of ["begin", "observe", "verdict", "end", "recall", "status"] as const) {
    const { shape, does } = tools[name];
    server.registerTool(name, { description: does, inputSchema: shape }, (params: unknown) =>
      answer(() => sidecar[name](params)),
    );
  }
  const ended = new Promise<void>((resolve) => {
    input.once("end", resolve);
    input.once("close", resolve);
  });
  await server.connect(new StdioServerTransport(input, output));
  await ended;
  await server.close();
  sidecar.close();
}

function answer(work: () => object): CallToolResult {
  try {
    return { content: [{ type: "text", text: JSON.stringify(work()) }] };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { content: [{ type: "text", text }], isError: true };
  }
}
