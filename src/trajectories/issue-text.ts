/** How prompts of mini-swe-agent, SWE-agent and OpenHands enclose the issue. */
const enclosures: readonly (readonly [string, string])[] = [
  ["<pr_description>", "</pr_description>"],
  ["<issue_description>", "</issue_description>"],
  ["<issue>", "</issue>"],
  ["<task_description>", "</task_description>"],
  ["\nISSUE:\n", "\n\nINSTRUCTIONS:\n"],
  ["# Problem Statement\n", "\n\nIMPORTANT: "],
];

const leadIn = /^Consider the following PR description:\n/;

/** What follows the worked example in prompts that teach a text form of tool calls. */
function afterExample(prompt: string): string {
  const end = prompt.lastIndexOf("END OF NEW TASK DESCRIPTION");
  const start = prompt.lastIndexOf("NEW TASK DESCRIPTION", end);
  return end === -1 || start === -1 ? prompt : prompt.slice(start);
}

/** The issue inside a prompt, or the whole prompt where no known enclosure is found. */
export function issueIn(prompt: string): string {
  const text = afterExample(prompt);
  for (const [open, close] of enclosures) {
    const start = text.indexOf(open);
    const end = text.indexOf(close, start);
    if (start === -1 || end === -1) continue;
    const inside = text.slice(start + open.length, end);
    return inside.replace(/^\n/, "").replace(/\n$/, "").replace(leadIn, "");
  }
  return prompt;
}

interface Literals {
  readonly before: string;
  readonly after: string;
}

/** The literal text of a Jinja template on either side of `{{task}}`, up to the next tag. */
function aroundTask(template: string): Literals | null {
  const tag = /\{\{-?\s*task\s*-?\}\}/.exec(template);
  if (!tag) return null;
  const before =
    template
      .slice(0, tag.index)
      .split(/[%}]\}/)
      .at(-1) ?? "";
  const after = template.slice(tag.index + tag[0].length).split(/\{[%{]/)[0] ?? "";
  return { before, after: after.trimEnd() };
}

/** The issue in a prompt that was rendered from `template`; by its enclosure if that fails. */
export function taskIn(prompt: string, template: string | null): string {
  const around = template === null ? null : aroundTask(template);
  if (!around) return issueIn(prompt);
  const start = prompt.indexOf(around.before) + around.before.length;
  const end = around.after === "" ? prompt.length : prompt.lastIndexOf(around.after);
  return prompt.includes(around.before) && end >= start
    ? prompt.slice(start, end)
    : issueIn(prompt);
}
