import { z } from "zod";

const session = z.string().min(1).max(500).describe("Id of the session, as begin gave it.");

/** Parameters of the sidecar's methods, and what they mean. */
export const BeginParams = z.object({
  session: session
    .optional()
    .describe("Id of the session; a known one is gone on with. Left out: a new one."),
  task: z.string().default("").describe("The issue or task, as its author wrote it."),
  root: z
    .string()
    .optional()
    .describe(
      "Absolute path of the repository as commands see it. Left out: where the sidecar runs.",
    ),
  host: z.string().min(1).default("sidecar").describe("Name of the agent, for the record."),
  files: z.array(z.string()).optional().describe("Tracked files, relative to the root."),
  reproducer: z.string().optional().describe("Path of a reproduction script, as commands name it."),
});

const common = {
  session,
  id: z.string().nullable().default(null).describe("The call's id: a second telling is left out."),
  thought: z.string().default("").describe("What the agent said with the call."),
  more: z.boolean().default(false).describe("Further calls of the same reply follow."),
  output: z.string().default("").describe("What the call printed."),
  exitCode: z.int().nullable().optional().describe("null or left out: not known."),
  timedOut: z.boolean().default(false).describe("The agent ended it when its time was up."),
};

export const ObserveFields = z.object({
  ...common,
  command: z.string().optional().describe("A bash command line that ran."),
  tool: z.string().optional().describe("Instead of command: name of the tool that ran."),
  input: z.record(z.string(), z.unknown()).default({}).describe("What that tool was given."),
  isError: z.boolean().default(false).describe("That tool failed."),
  folder: z.string().optional().describe("Where it ran, if not at the root."),
});

/** A command line, or a call of another tool. */
export const ObserveParams = ObserveFields.refine(
  ({ command, tool }) => (command === undefined) !== (tool === undefined),
  {
    error: "give either command or tool",
  },
);
export type ObserveParams = z.infer<typeof ObserveParams>;

export const VerdictParams = z.object({
  session,
  verdict: z
    .enum(["pass", "fail", "undefined"])
    .describe("What the reproduction script says of the tree from now on."),
});

export const SessionParams = z.object({ session });

export const RecallParams = z.object({
  session,
  about: z.string().default("").describe("Words to look for. Left out: what the plan asks for."),
});
