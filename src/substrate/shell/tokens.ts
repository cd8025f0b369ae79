/** How a command is joined to the one before it; a newline is `;`. */
export type Connector = ";" | "&&" | "||" | "|" | "&";

/**
 * What both tokenisers, the grammar's and the conservative one, make of a command text. Keywords
 * are words here: only their place tells them from arguments.
 */
export type Token =
  | { readonly type: "word"; readonly raw: string }
  | { readonly type: "operator"; readonly operator: Connector | "(" | ")" }
  | {
      readonly type: "redirect";
      /** null: the operator's own (0 for `<`, 1 for `>`, both for `&>`). */
      readonly descriptor: number | null;
      readonly operator: string;
      readonly raw: string;
    };

const connectors: Readonly<Record<string, Connector | "(" | ")">> = {
  ";": ";",
  ";;": ";",
  ";&": ";",
  ";;&": ";",
  "\n": ";",
  "&": "&",
  "&&": "&&",
  "||": "||",
  "|": "|",
  "|&": "|",
  "(": "(",
  ")": ")",
};

/** The operator token that this text spells, or null. */
export function operatorToken(text: string): Token | null {
  const operator = Object.hasOwn(connectors, text) ? connectors[text] : undefined;
  return operator === undefined ? null : { type: "operator", operator };
}
