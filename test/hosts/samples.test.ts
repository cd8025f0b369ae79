import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readHookEvent } from "../../src/hosts/hook-event.ts";
import { capable } from "../capabilities.ts";

const folder = join(process.env["PMCODER_DATA"] ?? "", "host-events");
const hasSamples = capable("data", () => existsSync(folder));
const names = hasSamples ? readdirSync(folder).filter((name) => name.startsWith("qwen-")) : [];

/** What an event means, in a line. */
function told(name: string): string {
  const read = readHookEvent(readFileSync(join(folder, name), "utf8"), (cwd) => cwd);
  if (typeof read === "string") return read;
  const { event, strange } = read;
  if (strange !== null) return strange;
  if (event.does !== "step") return event.does;
  return event.steps
    .map(
      ({ command, exitCode, output }) =>
        `${exitCode} ${command.slice(0, 50)} | ${output.slice(0, 20)}`,
    )
    .join("; ")
    .replaceAll("\n", "⏎")
    .trim();
}

describe.runIf(hasSamples)("events as qwen-code 0.24 told them", () => {
  it("mean what they meant", () => {
    const lines = names.map((name) => `${name.slice(5, -5)}: ${told(name)}`);
    expect(lines.join("\n")).toMatchInlineSnapshot(`
      "Notification: nothing
      PostToolBatch: 0 echo hello-shell | hello-shell
      PostToolUse.agent: nothing
      PostToolUse.edit: 0 sed -i -z 's/alpha/ALPHA/' /repo/a.txt | The file: /repo/a.tx
      PostToolUse.glob: 0 find . -name '*.txt' | Found 1 file(s) matc
      PostToolUse.grep_search: 0 grep -rn -e ALPHA . | Found 1 match for pa
      PostToolUse.read_file: 0 cat /repo/a.txt | alpha⏎beta⏎
      PostToolUse.run_shell_command.background: 0 node -e "setTimeout(()=>console.log(1),1500)" | Background shell sta
      PostToolUse.run_shell_command.grep-exit1: 1 grep zzz a.txt |
      PostToolUse.run_shell_command: 0 echo hello-shell | hello-shell
      PostToolUse.run_shell_command.sub: nothing
      PostToolUse.run_shell_command.truncated: 0 node -e "for(let i=0;i<20000;i++)console.log('line | Tool output was too
      PostToolUse.write_file: 0 cat > /repo/new.txt <<'EOF'⏎line one⏎line two⏎EOF | Successfully created
      PostToolUseFailure.edit: 1 sed -i -z 's/nonexistent-zzz/x/' /repo/a.txt | File /repo/a.txt has
      PostToolUseFailure.read_file: 1 cat /repo/nope.txt | File not found: /rep
      PostToolUseFailure.run_shell_command: 3 echo out; echo err >&2; exit 3 | out⏎err
      PreToolUse.edit: nothing
      PreToolUse.glob: nothing
      PreToolUse.grep_search: nothing
      PreToolUse.read_file: nothing
      PreToolUse.run_shell_command: nothing
      PreToolUse.write_file: nothing
      SessionStart: greet
      Stop: nothing
      SubagentStart.sub: nothing
      SubagentStop.sub: nothing
      UserPromptSubmit.continuation: nothing
      UserPromptSubmit: task"
    `);
  });
});
