/** Where something has to change. */
export interface Location {
  /** From the top of the repository; stands at the base. */
  readonly file: string;
  /** Classes and functions as the agent names them; may be empty. */
  readonly names: readonly string[];
  readonly lines: readonly number[];
}

const fence = /^[ \t]*```[^\n]*\n([\s\S]*?)^[ \t]*```[ \t]*$/gm;
const detail = /^\s*(?:[-*]\s*)?(class|function|method|line|lines)\s*:\s*(.+)$/i;

/**
 * The locations of an answer, in its order, each file once: paths, each with `class:`, `function:`
 * and `line:` below it, in the last fenced list; without one in the whole answer. What is no file
 * at the base is left out.
 */
export function parseLocations(answer: string, files: ReadonlySet<string>): readonly Location[] {
  const block = [...answer.matchAll(fence)].at(-1)?.[1] ?? answer;
  const found = new Map<string, Found>();
  let current: Found | null = null;
  for (const line of block.split("\n")) {
    const told = detail.exec(line);
    if (told && current) takeDetail(current, told[1] ?? "", told[2] ?? "");
    const place = told ? null : placeIn(line, files);
    if (place === null) continue;
    current = found.get(place.file) ?? { names: [], lines: [] };
    current.lines.push(...place.lines);
    found.set(place.file, current);
  }
  return [...found].map(([file, { names, lines }]) => ({ file, names, lines }));
}

interface Found {
  readonly names: string[];
  readonly lines: number[];
}

function takeDetail({ names, lines }: Found, kind: string, text: string): void {
  if (/^line/i.test(kind)) lines.push(...(text.match(/\d+/g) ?? []).map(Number));
  else names.push(text.trim().replace(/[`()]/g, ""));
}

type Place = Pick<Location, "file" | "lines">;

function placeIn(line: string, files: ReadonlySet<string>): Place | null {
  for (const word of line.split(/[\s`*"'(),;|]+/)) {
    const [, path = "", number] = /^(.*?)(?::(\d+)(?:-\d+)?)?:?$/.exec(word) ?? [];
    const file = standing(path, files);
    if (file !== undefined) return { file, lines: number === undefined ? [] : [Number(number)] };
  }
  return null;
}

/** `./a.py` is `a.py`; of an absolute path the folders before the repository, `/testbed/`, are put aside. */
function standing(path: string, files: ReadonlySet<string>): string | undefined {
  const parts = path.replace(/^\.\//, "").split("/");
  const starts = path.startsWith("/") ? parts.map((_, at) => at) : [0];
  return starts.map((start) => parts.slice(start).join("/")).find((file) => files.has(file));
}
