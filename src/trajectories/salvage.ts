/** Lists whose elements stand for themselves: a file may end after any of them. */
const episodeLists = new Set(["messages", "trajectory", "history"]);

interface Container {
  readonly close: "}" | "]";
  /** The text may be cut after each element. */
  readonly cuttable: boolean;
}

/** Where a text that ends too early can be cut, and what closes it there. */
class Scan {
  readonly #open: Container[] = [];
  #key = "";
  #end = 0;
  #closers = "";

  enter(character: "{" | "["): void {
    const isList = character === "[";
    const cuttable = isList && (this.#open.length === 0 || episodeLists.has(this.#key));
    this.#open.push({ close: isList ? "]" : "}", cuttable });
  }

  leave(at: number): void {
    this.#open.pop();
    if (!this.#open.at(-1)?.cuttable) return;
    this.#end = at + 1;
    this.#closers = this.#open
      .map(({ close }) => close)
      .reverse()
      .join("");
  }

  string(text: string): void {
    this.#key = text;
  }

  /** The longest prefix that is whole, or null. */
  repaired(text: string): string | null {
    return this.#end === 0 ? null : text.slice(0, this.#end) + this.#closers;
  }
}

/** The index of the quote that ends the string that starts at `from`, or the text's length. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

/**
 * The complete part of a JSON text that was cut off: everything up to the last whole element of its
 * outermost list or of a list named messages, trajectory or history. null if there is no such part.
 */
export function salvage(text: string): unknown {
  const scan = new Scan();
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      scan.string(text.slice(at + 1, end));
      at = end;
    } else if (character === "{" || character === "[") scan.enter(character);
    else if (character === "}" || character === "]") scan.leave(at);
  }
  const repaired = scan.repaired(text);
  return repaired === null ? null : (parseJson(repaired)?.value ?? null);
}

/** undefined: not JSON. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
