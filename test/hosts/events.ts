/** Events as qwen-code tells them, small. */
export type HookFields = Readonly<Record<string, unknown>>;

export function event(name: string, fields: HookFields = {}): HookFields {
  return { session_id: "s-1", cwd: "/repo", hook_event_name: name, ...fields };
}

export const prompt = (text: string, fields: HookFields = {}) =>
  event("UserPromptSubmit", { prompt: text, ...(text && { submitted_prompt: text }), ...fields });

const report = (command: string, output: string, code: number) =>
  `Command: ${command}\nDirectory: (root)\nOutput: ${output || "(empty)"}\nError: (none)\nExit Code: ${code}\nSignal: (none)\nProcess Group PGID: (none)`;

interface ShellCall {
  readonly id: string;
  readonly command: string;
  readonly output?: string;
  readonly code?: number;
}

/** A command's end: a code above 0 arrives as another event. */
export function shell(call: ShellCall, fields: HookFields = {}): HookFields {
  const { id, command, output = "", code = 0 } = call;
  const text = report(command, output, code);
  const common = {
    tool_name: "run_shell_command",
    tool_input: { command },
    tool_use_id: `toolu_${id}`,
    tool_call_id: id,
    ...fields,
  };
  return code === 0
    ? event("PostToolUse", {
        ...common,
        tool_response: { llmContent: text, returnDisplay: output },
      })
    : event("PostToolUseFailure", { ...common, error: text, is_interrupt: false });
}

/** The same call, told again as its batch. */
export function batch(call: ShellCall, fields: HookFields = {}): HookFields {
  const { id, command, output = "", code = 0 } = call;
  const response = { output: report(command, output, code) };
  return event("PostToolBatch", {
    tool_calls: [
      {
        tool_name: "run_shell_command",
        tool_input: { command },
        tool_use_id: id,
        tool_call_id: id,
        status: code === 0 ? "success" : "error",
        tool_response: { response_parts: [{ functionResponse: { id, response } }] },
      },
    ],
    ...fields,
  });
}

function tool(name: string, input: object, text: string, id: string): HookFields {
  return event("PostToolUse", {
    tool_name: name,
    tool_input: input,
    tool_call_id: id,
    tool_response: { llmContent: text, returnDisplay: "" },
  });
}

/** A short piece of work on one bug: look, read, change, test. */
export function mendingEvents(repo: string): readonly HookFields[] {
  const file = `${repo}/src/parse.js`;
  const edit = { file_path: file, old_string: "hours * 60", new_string: "hours * 60 + minutes" };
  return [
    prompt("parse() drops the minutes: 1:30 gives 60"),
    tool("grep_search", { pattern: "minutes" }, "src/parse.js:3: minutes", "c1"),
    tool("read_file", { file_path: file }, "export const parse = (h, m) => h * 60;\n", "c2"),
    shell({ id: "c3", command: "node --test", output: "not ok 1 - minutes", code: 1 }),
    tool("edit", edit, "The file has been updated.", "c4"),
    shell({ id: "c5", command: "node --test", output: "ok 1 - minutes\n# pass 1\n# fail 0" }),
  ].map((fields) => ({ ...fields, cwd: repo }));
}
