const named =
  /\b(?:fix(?:e[sd])?|clos(?:e[sd])?|resolv(?:e[sd])?|refs?|references|see)\s+(?:issue\s+)?#(\d+)/gi;
const atEnd = /\(#(\d+)\)\s*$/;
const any = /#(\d+)\b/g;

/** Numbers of the issues that a message links, each once: `Fixes #12`, or `(#12)` after its subject. */
export function linkedIssues(message: string): readonly string[] {
  const subject = message.trimStart().split("\n", 1)[0] ?? "";
  const numbers = [...message.matchAll(named)].map(([, number = ""]) => number);
  const last = atEnd.exec(subject)?.[1];
  return [...new Set(last === undefined ? numbers : [...numbers, last])];
}

/** Every number that a message names as an issue's or a request's. */
export function namedNumbers(message: string): readonly string[] {
  return [...message.matchAll(any)].map(([, number = ""]) => number);
}
