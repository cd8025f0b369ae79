const frame = /^ *File ".*", line \d+, in .*$/gm;

/**
 * A Python traceback without its way there: what follows the line of its innermost frame. Any
 * other text stays as it is (the public code of ExpeRepair, arXiv:2506.10484).
 */
export function reduceTraceback(text: string): string {
  if (!text.includes("Traceback")) return text;
  const last = [...text.matchAll(frame)].at(-1);
  return last === undefined ? text : text.slice(last.index + last[0].length).replace(/^\r?\n/, "");
}
