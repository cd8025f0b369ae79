import { type Call, locateOne, type Meaning, meaning, reads } from "./meaning.ts";
import { type Operand, parseOptions } from "./options.ts";
import { looksLikePath } from "./paths.ts";

/** Options of the usual runners that take the next word. */
const takes = [
  "k m p n c o W e s t v parallel settings deselect ignore ignore-glob rootdir maxfail durations",
  "junitxml confcutdir basetemp tag exclude-tag seed timeout split start-at bisect pair shuffle",
].join(" ");

/** With one of these the runner only tells about itself. */
const tellsOnly = [
  "version",
  "help",
  "h",
  "collect-only",
  "co",
  "markers",
  "fixtures",
  "list-tests",
];

/** Reads a call of a test runner; `words` start at the runner. */
export function testRun(call: Call): Meaning {
  const { flags, operands } = parseOptions(call.words, takes);
  const isVerb = /^(?:run|test)$/.test(operands[0]?.word.text ?? "");
  const named = isVerb ? operands.slice(1) : operands;
  const files = named.flatMap((operand) => fileOf(call, operand));
  if (tellsOnly.some((name) => flags.has(name))) return reads(call, "inspect", files);
  const targets = named.map(({ word }) => target(call, word.text));
  return { ...reads(call, "test", files), targets };
}

/** The file of an operand that names one: `file::test` without the test, no labels. */
function fileOf(call: Call, { word, index }: Operand): readonly Operand[] {
  const cut = (text: string): string => text.split("::")[0] ?? text;
  const file = { text: cut(word.text), values: word.values.map(cut) };
  const path = locateOne(call.place, file);
  const isFile = looksLikePath(file.text) || (path !== null && call.place.ledger.exists(path));
  return isFile ? [{ word: file, index }] : [];
}

/** A target with its file spelled relative to the root. */
function target(call: Call, text: string): string {
  const [file = "", ...rest] = text.split("::");
  const path = looksLikePath(file) ? locateOne(call.place, { text: file, values: [file] }) : null;
  return [path ?? file, ...rest].join("::");
}

const runnerPath =
  /(?:^|\/)(?:runtests\.py|bin\/(?:test|doctest)|run_?tests?(?:\.py|\.sh)?|test\.py)$/;

/** Whether a script is a test runner: by its own name, or by its verb (`manage.py test`). */
export function isTestRunner(path: string, verb: string): boolean {
  if (/(?:^|\/)(?:manage|setup)\.py$/.test(path)) return verb === "test" || verb === "tests";
  return runnerPath.test(path);
}

/** Commands whose verb decides: tests or setting up. Matched against the arguments. */
const verbs: Readonly<Record<string, { readonly test: RegExp; readonly setup: RegExp }>> = {
  make: { test: /^(?:.* )?(?:test|tests|check)(?: |$)/, setup: /^/ },
  npm: { test: /^(?:t|test|tst|run(?:-script)? test\S*)(?: |$)/, setup: /^(?:i|ci|install|add)\b/ },
  yarn: { test: /^(?:run )?test\S*(?: |$)/, setup: /^(?:install|add)?(?: |$)/ },
  pnpm: { test: /^(?:t|(?:run )?test\S*)(?: |$)/, setup: /^(?:i|install|add)\b/ },
  bun: { test: /^(?:run )?test\b/, setup: /^(?:i|install|add)\b/ },
  go: { test: /^test\b/, setup: /^(?:get|mod|install)\b/ },
  cargo: { test: /^(?:test|nextest)\b/, setup: /^(?:build|fetch|add|install|update)\b/ },
  mvn: { test: /(?:^| )(?:test|verify)\b/, setup: /(?:^| )(?:install|compile|package)\b/ },
  gradle: { test: /(?:^| )\S*test\b/i, setup: /(?:^| )(?:build|assemble)\b/ },
  gradlew: { test: /(?:^| )\S*test\b/i, setup: /(?:^| )(?:build|assemble)\b/ },
  "django-admin": { test: /^test\b/, setup: /^$/ },
};

export const verbHeads: readonly string[] = Object.keys(verbs);

export function byVerb(call: Call): Meaning {
  const words = call.words.slice(1).map((word) => word.text);
  const verb = words.slice(0, maxVerbWords).join(" ");
  const rules = verbs[call.head];
  const targets = words.slice(1).filter((word) => !word.startsWith("-"));
  if (rules?.test.test(verb)) return meaning("test", { targets });
  return meaning(rules?.setup.test(verb) ? "setup" : "other");
}

const maxVerbWords = 10;
