import { isObject, parseObject } from "./arguments.ts";

/** A tool call that came as text: the prose before it, and the call with its raw arguments. */
export interface TextCall {
  readonly prose: string;
  readonly name: string;
  readonly rawArguments: string;
}

interface NamedCall {
  readonly name: string;
  readonly rawArguments: string;
}

function fromJson(text: string): NamedCall | null {
  const object = parseObject(text);
  if (object === null || typeof object["name"] !== "string") return null;
  const given = object["arguments"] ?? object["parameters"];
  if (typeof given === "string") return { name: object["name"], rawArguments: given };
  return isObject(given) ? { name: object["name"], rawArguments: JSON.stringify(given) } : null;
}

function fromTags(text: string): NamedCall | null {
  const whole = /^<function=([\w.-]+)>([\s\S]*)<\/function>$/.exec(text);
  if (whole === null) return null;
  const parameters = [
    ...(whole[2] ?? "").matchAll(/<parameter=([\w.-]+)>([\s\S]*?)<\/parameter>/g),
  ].map(([, key = "", value = ""]) => [key, value.replace(/^\n/, "").replace(/\n$/, "")]);
  return { name: whole[1] ?? "", rawArguments: JSON.stringify(Object.fromEntries(parameters)) };
}

type Form = readonly [shape: RegExp, read: (body: string) => NamedCall | null];

/** The forms that local servers leak, each reaching to the end of the reply. */
const forms: readonly Form[] = [
  [
    /<tool_call>((?:(?!<tool_call>)[\s\S])*)<\/tool_call>$/,
    (body) => fromTags(body) ?? fromJson(body),
  ],
  [/(?:<tool_call>\s*)?(<function=(?:(?!<function=)[\s\S])*<\/function>)$/, fromTags],
  [/^```(?:json|tool_call)?[ \t]*\n([\s\S]*)\n```$/, fromJson],
  [/(?:^|\n)(\{\s*"(?:name|arguments|parameters)"[\s\S]*)$/, fromJson],
];

/** Prose that ends inside a code fence explains a format; one with a call in it holds a second. */
function isProse(text: string): boolean {
  const fences = text.match(/^[ \t]*```/gm) ?? [];
  return fences.length % 2 === 0 && !/<\/(?:tool_call|function)>/.test(text);
}

/**
 * The call that a reply without tool calls spells out as text, or null. It must be the only call
 * and the last thing in the reply; prose may come before it. `tools`: the names that count.
 */
export function readTextCall(content: string, tools: readonly string[]): TextCall | null {
  const text = content.trim();
  for (const [shape, read] of forms) {
    const found = shape.exec(text);
    if (found === null) continue;
    const prose = text.slice(0, found.index).trim();
    const call = read((found[1] ?? "").trim());
    if (call !== null && tools.includes(call.name) && isProse(prose)) return { prose, ...call };
  }
  return null;
}
