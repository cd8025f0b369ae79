import { type Call, changes, type Meaning, meaning, reads } from "./meaning.ts";
import { type Operand, parseOptions } from "./options.ts";
import { literalWord, type Word } from "./words.ts";

/**
 * `find PATHS… EXPRESSION`. `-delete` removes files that the text does not name; `-exec` calls
 * another program, `{}` standing for those files.
 */
export function find(call: Call): Meaning {
  const isExpression = (word: Word): boolean => /^[-(!]/.test(word.text);
  const isOption = (word: Word): boolean => /^-[HLPO]\d?$/.test(word.text);
  const start = call.words.findIndex((word, i) => i > 0 && isExpression(word) && !isOption(word));
  const end = start === -1 ? call.words.length : start;
  const operands = call.words
    .map((word, index): Operand => ({ word, index }))
    .slice(1, end)
    .filter(({ word }) => !isOption(word));
  const expression = call.words.slice(end);
  const runs = executed(expression);
  if (expression.some((word) => word.text === "-delete")) {
    return { ...changes(call, [], () => []), runs };
  }
  return { ...reads(call, "inspect", operands), runs };
}

/** Calls of one `find`, and words of one. Our choice. */
const maxCalls = 20;
const maxWords = 200;

/** The calls behind `-exec`, `-execdir` and `-ok`, up to `;` or `+`. */
function executed(expression: readonly Word[]): readonly (readonly Word[])[] {
  const calls: (readonly Word[])[] = [];
  for (const [at, { text }] of expression.entries()) {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(text) || calls.length >= maxCalls) continue;
    const rest = expression.slice(at + 1, at + 1 + maxWords);
    const end = rest.findIndex((word) => word.text === ";" || word.text === "+");
    calls.push(end === -1 ? rest : rest.slice(0, end));
  }
  return calls;
}

/** First lines that end an episode when a command prints them: mini-swe-agent's, new and old. */
const sentinels = new Set([
  "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT",
  "MINI_SWE_AGENT_FINAL_OUTPUT",
  "MICRO_SWE_AGENT_FINAL_OUTPUT",
]);

function printed(text: string): Meaning {
  const isSubmission = text.split("\n").some((line) => sentinels.has(line.trim()));
  return meaning(isSubmission ? "submit" : "neutral", { prints: text });
}

/** `echo` and `printf`. */
export function print(call: Call): Meaning {
  const words = call.words.slice(1);
  const isFormat = call.head === "printf";
  const isOption = (word: Word): boolean => !isFormat && /^-[neE]+$/.test(word.text);
  const first = words.findIndex((word) => !isOption(word));
  const text = words
    .slice(first === -1 ? words.length : first)
    .map((word) => word.text)
    .join(" ");
  const expands =
    isFormat || words.slice(0, Math.max(0, first)).some((word) => /e/.test(word.text));
  return printed(`${expands ? text.replace(/\\n/g, "\n") : text}\n`);
}

/** `cat F…` shows files; `cat <<EOF` prints a text. */
export function printInput(call: Call): Meaning {
  const { operands } = parseOptions(call.words, "");
  const files = operands.filter(({ word }) => word.text !== "-");
  if (files.length > 0 || call.stdin === null) {
    const shown = reads(call, "inspect", files);
    const [only] = shown.effects;
    const body = only && files.length === 1 ? call.place.ledger.body(only.path) : null;
    return body === null ? shown : { ...shown, prints: body };
  }
  return printed(call.stdin);
}

const asks = /^(?:show|list|freeze|search|info|env|check|config|policy|--version|-V)$/;

/** Package managers install, or tell what is installed. */
export function packageManager(call: Call): Meaning {
  const verb = call.words[1]?.text ?? "";
  if (verb === "activate" || verb === "deactivate") return meaning("neutral");
  return meaning(asks.test(verb) ? "inspect" : "setup");
}

/** `coverage run` runs like python. */
export function coverage(call: Call): Meaning {
  if (call.words[1]?.text !== "run") return meaning("review");
  const words = [literalWord("python"), ...call.words.slice(2)];
  return meaning("execute", { instead: { words, shift: 1 } });
}
