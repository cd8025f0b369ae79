import Parser from "tree-sitter";
import bash from "tree-sitter-bash";
import { operatorToken, type Token } from "./tokens.ts";

type Cursor = Parser.TreeCursor;

const parser = new Parser();
// The grammar's own types know nothing of the parser's; the runtime checks the version.
parser.setLanguage(bash as Parser.Language);

/** Nodes that are one word however much stands inside them. */
const wordNodes = new Set([
  "word",
  "string",
  "raw_string",
  "ansi_c_string",
  "translated_string",
  "concatenation",
  "number",
  "regex",
  "extglob_pattern",
  "brace_expression",
  "expansion",
  "simple_expansion",
  "arithmetic_expansion",
  "command_substitution",
  "process_substitution",
  "variable_assignment",
  "variable_name",
  "special_variable_name",
  "subscript",
  "test_operator",
]);

/** Nodes that hold no command, each with the word that stands for it. */
const opaqueNodes: Readonly<Record<string, string>> = {
  test_command: "[",
  comment: "",
};

/**
 * The tokens of a command by tree-sitter-bash, or null when its tree holds an error, or a word with
 * a blank that `plain` says to stand outside quotes. The walk is by cursor: depth costs neither
 * stack nor time. `text` must be without here-documents and short: on crafted input (a long row of
 * `>`, a pipeline without an end) the parser takes time and memory that grow with the square of the
 * length.
 */
export function tokensByGrammar(text: string, plain: Uint8Array): readonly Token[] | null {
  const tree = parser.parse(text, null, { bufferSize: 2 * text.length + 1024 });
  if (tree.rootNode.hasError) return null;
  return new Walk(text, plain, tree.walk()).tokens();
}

class Walk {
  readonly #text: string;
  readonly #plain: Uint8Array;
  readonly #cursor: Cursor;
  readonly #tokens: Token[] = [];
  /** Types of the nodes around the cursor: asking a node for its parent walks from the root. */
  readonly #parents: string[] = [];
  #end = 0;
  /** Some word holds a plain blank: the grammar takes `{ {` for one. */
  #isBroken = false;
  /** Where the last word ended. */
  #wordEnd = -1;
  #descriptor: number | null = null;
  /** The redirect operator whose target comes next. */
  #redirect: string | null = null;

  constructor(text: string, plain: Uint8Array, cursor: Cursor) {
    this.#text = text;
    this.#plain = plain;
    this.#cursor = cursor;
  }

  tokens(): readonly Token[] | null {
    let more = true;
    while (more) more = (this.#visit() && this.#descend()) || this.#onward();
    return this.#isBroken ? null : this.#tokens;
  }

  #descend(): boolean {
    const { nodeType } = this.#cursor;
    if (!this.#cursor.gotoFirstChild()) return false;
    this.#parents.push(nodeType);
    return true;
  }

  /** To the next node in text order that is no descendant; false at the end. */
  #onward(): boolean {
    while (!this.#cursor.gotoNextSibling()) {
      if (!this.#cursor.gotoParent()) return false;
      this.#parents.pop();
    }
    return true;
  }

  /** Emits what this node is; true when its children are still to be read. */
  #visit(): boolean {
    const { nodeType, startIndex, endIndex, nodeIsNamed } = this.#cursor;
    if (startIndex === endIndex || this.#isSkipped(nodeType)) return false;
    const raw = this.#text.slice(startIndex, endIndex);
    if (Object.hasOwn(opaqueNodes, nodeType)) this.#word(opaqueNodes[nodeType] ?? "");
    else if (nodeType === "file_descriptor") this.#descriptor = Number(raw);
    else if (wordNodes.has(nodeType)) {
      this.#isBroken ||= this.#holdsBlank();
      this.#word(raw);
    } else if (nodeIsNamed) return true;
    else this.#anonymous(raw);
    return false;
  }

  /** Case patterns, a function's own brackets and an arithmetic `for` head are no commands. */
  #isSkipped(nodeType: string): boolean {
    const field = this.#cursor.currentFieldName;
    const parent = this.#parents.at(-1);
    if (parent === "case_item") return field === "value" || nodeType === ")" || nodeType === "|";
    if (parent === "function_definition") return field !== "body";
    return parent === "c_style_for_statement" && nodeType !== "for" && field !== "body";
  }

  #word(raw: string): void {
    const last = this.#tokens.at(-1);
    // The grammar takes `$a$b.py` for two words.
    const continues = this.#redirect === null && this.#cursor.startIndex === this.#wordEnd;
    this.#newline();
    this.#wordEnd = this.#end;
    if (continues && last && last.type !== "operator") {
      this.#tokens[this.#tokens.length - 1] = { ...last, raw: last.raw + raw };
    } else if (this.#redirect === null) this.#tokens.push({ type: "word", raw });
    else {
      const [descriptor, operator] = [this.#descriptor, this.#redirect];
      this.#tokens.push({ type: "redirect", descriptor, operator, raw });
    }
    this.#descriptor = null;
    this.#redirect = null;
  }

  #holdsBlank(): boolean {
    const { startIndex, endIndex } = this.#cursor;
    const blank = /[ \t\n]/g;
    blank.lastIndex = startIndex;
    for (let found = blank.exec(this.#text); found; found = blank.exec(this.#text)) {
      if (found.index >= endIndex) return false;
      if (this.#plain[found.index] === 1) return true;
    }
    return false;
  }

  #anonymous(raw: string): void {
    const operator = operatorToken(raw);
    this.#newline();
    if (operator) this.#tokens.push(operator);
    else if (/^[&\d]?[<>]/.test(raw)) this.#redirect = raw;
    else if (/^\w|^[{}!]$/.test(raw)) this.#tokens.push({ type: "word", raw });
  }

  /** The grammar hides a newline that ends a command: it shows as a gap between two nodes. */
  #newline(): void {
    const { startIndex, endIndex } = this.#cursor;
    const gap = this.#text.slice(this.#end, startIndex);
    if (gap.includes("\n")) this.#tokens.push({ type: "operator", operator: ";" });
    this.#end = endIndex;
  }
}
