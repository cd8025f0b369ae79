export const system =
  "You find the places in a repository where an issue has to be solved. You read; you change nothing. " +
  "Earlier commits show which files were changed for problems of the same kind, and the code shows what is there now.";

const form = `\`\`\`
path/from/the/top.py
class: Name
function: name
line: 120

another/file.py
function: other
\`\`\``;

/** The first question. `memory`: the names of the memory tools that are offered. */
export function beginning(issue: string, memory: readonly string[]): string {
  const first =
    memory.length === 0
      ? "Search the code for what the issue names."
      : `Ask ${memory.join(", ")} what was done about the like before, and search the code for what the issue names.`;
  return `Here is the issue:

<issue>
${issue}
</issue>

Work in this order.
1. Say what kind of problem it is, and which names, messages and modules of the code it mentions.
2. ${first}
3. Follow the calls from where a user enters to where the wrong thing happens.
4. Answer, without a tool call, with a fenced list of about five files, the most likely first, each with the classes, functions and lines that matter:

${form}`;
}

export const askAgain = `That answer names no file of this repository. Answer once more, with paths as the tools show them, in this form:

${form}`;

export const lastCall = `There is no room for further tool calls. Answer now with what you know, in this form:

${form}`;
