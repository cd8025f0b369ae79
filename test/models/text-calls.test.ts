import { describe, expect, it } from "vitest";
import { readTextCall } from "../../src/models/text-calls.ts";

const read = (content: string) => {
  const call = readTextCall(content, ["bash"]);
  return call === null ? null : [call.prose, call.name, JSON.parse(call.rawArguments)];
};

const tagged =
  "<tool_call>\n<function=bash>\n<parameter=command>\nls -la\n</parameter>\n</function>\n</tool_call>";
const bare = '{"name":"bash","arguments":{"command":"ls -la"}}';
const explained = `A call looks like this:\n\n\`\`\`json\n${bare}\n\`\`\`\n\nShall I go on?`;

describe("readTextCall", () => {
  it.each([
    ["function tags", tagged],
    ["function tags without the outer pair", tagged.replace(/<\/?tool_call>\n?/g, "")],
    ["function tags whose outer pair is not closed", tagged.replace("\n</tool_call>", "")],
    ["JSON between tags", `<tool_call>\n${bare}\n</tool_call>`],
    ["bare JSON", bare],
    ["bare JSON over several lines", JSON.stringify(JSON.parse(bare), null, 2)],
    ["parameters instead of arguments", bare.replace("arguments", "parameters")],
    ["arguments as text", '{"name":"bash","arguments":"{\\"command\\":\\"ls -la\\"}"}'],
    ["a fence that is the whole reply", `\`\`\`json\n${bare}\n\`\`\`\n`],
  ])("reads %s", (_, content) => {
    expect(read(content)).toEqual(["", "bash", { command: "ls -la" }]);
  });

  it.each([
    ["function tags", tagged],
    ["JSON between tags", `<tool_call>${bare}</tool_call>`],
    ["bare JSON", bare],
  ])("keeps the prose before %s", (_, content) => {
    const prose = "Let me see.\n\n```bash\nls\n```\nNow for real.";
    expect(read(`${prose}\n${content}`)).toEqual([prose, "bash", { command: "ls -la" }]);
  });

  it("keeps a command of several lines as it was written", () => {
    const command = "cat > a.py <<'EOF'\nif a < b and '</b>':\n\n    print(\"x\")\nEOF";
    const content = `<function=bash>\n<parameter=command>\n${command}\n</parameter>\n</function>`;
    expect(read(content)).toEqual(["", "bash", { command }]);
  });

  it("gives up on a long reply that only looks like calls", () => {
    const line = '{"name":"bash","arguments":{"command":"ls"}}\n<tool_call>\n<function=bash>\n';
    expect(read(`${line.repeat(20_000)}and so on`)).toBeNull();
  });

  it.each([
    ["prose that explains the format in a fence and goes on", explained],
    ["prose that ends with such a fence", explained.replace("\n\nShall I go on?", "")],
    ["tags that are explained in a fence", `Use this:\n\`\`\`\n${tagged}`],
    ["a call followed by prose", `${bare}\nThat was it.`],
    ["two calls", `${tagged}\n${tagged}`],
    ["a tool that is not there", bare.replace("bash", "python")],
    ["JSON that is an answer", '{"name":"bash"}'],
    ["half a call", tagged.slice(0, 60)],
    ["broken JSON", '<tool_call>{"name":"bash","arguments":{"command":"echo "hi""}}</tool_call>'],
    ["a shell block", "```bash\nls -la\n```"],
    ["nothing", ""],
  ])("sees no call in %s", (_, content) => {
    expect(read(content)).toBeNull();
  });
});
