import { argument, argumentsAt, type Span } from "./code-definitions.ts";
import { callRules, type Rule } from "./code-rules.ts";
import { type CodeText, type Language, readCode } from "./code-text.ts";
import { Values } from "./code-values.ts";

interface CodeWrite {
  /** `edit`: it reads the file too, so the file is there. */
  readonly kind: "write" | "edit" | "delete";
  /** As the program names it, relative to where it runs. */
  readonly path: string;
  /** A file of results, no edit. */
  readonly product: boolean;
}

/** What running a program text would do to files. */
export interface CodeWrites {
  readonly writes: readonly CodeWrite[];
  /** It writes to a file that the text does not name. */
  readonly unresolved: boolean;
}

/** Characters of a program that are read, and calls of one kind. Our choice. */
const maxCode = 65_536;
const maxCalls = 100;

/** Most programs that only look hold none of these words: they are not read at all. */
const mayWrite =
  /open|write|shutil|os\.|fileinput|unlink|touch|rename|replace|save|\.to_|fs\.|File/;

/** A result's name: one word with an extension. */
const productName = /^\S+\.\w+$/;

const nothing: CodeWrites = { writes: [], unresolved: false };

/** Finds the calls of a program that change files, and the files that the text names. */
export function codeWrites(
  source: string,
  language: Language,
  argv: readonly string[],
): CodeWrites {
  if (!mayWrite.test(source)) return nothing;
  const text = readCode(source.slice(0, maxCode), language);
  const values = new Values(text, argv);
  const found = callRules[language].flatMap((rule) =>
    [...text.code.matchAll(rule.call)]
      .slice(0, maxCalls)
      .flatMap((match) => targetsOf(text, values, rule, match)),
  );
  const read = new Set(found.flatMap(({ kind, path }) => (kind === "read" ? [path] : [])));
  const writes = found.flatMap(({ kind, path, product }): CodeWrite[] => {
    if (kind === "read" || path === null) return [];
    return [{ kind: kind === "write" && read.has(path) ? "edit" : kind, path, product }];
  });
  const unresolved = found.some(({ kind, path }) => kind !== "read" && path === null);
  return { writes, unresolved };
}

/** A file that a call reads or changes; `path` null: the text does not name it. */
interface Target {
  readonly kind: CodeWrite["kind"] | "read";
  readonly path: string | null;
  readonly product: boolean;
}

function targetsOf(
  text: CodeText,
  values: Values,
  rule: Rule,
  match: RegExpExecArray,
): readonly Target[] {
  const { spans } = argumentsAt(text, match.index + match[0].length - 1);
  const before = receiverBefore(text, match.index);
  if (rule.ofPath && !before.isPath) return [];
  if (!applies(text, values, rule, spans)) return [];
  const product = rule.product !== undefined;
  return rule.targets.flatMap(({ kind, place, name }): Target[] => {
    const span = place === "receiver" ? before.span : argument(text, spans, place, name ?? "");
    const paths = span ? (values.of(span) ?? values.elements(span)) : null;
    const named = (paths ?? []).filter((path) => !product || productName.test(path));
    if (paths === null) return product ? [] : [{ kind, path: null, product }];
    return named.map((path) => ({ kind, path, product }));
  });
}

const writingMode = /^[rbtU]*[wax+][rwaxbtU+]*$/;

function applies(text: CodeText, values: Values, rule: Rule, spans: readonly Span[]): boolean {
  if (spans.length < (rule.atLeast ?? 0)) return false;
  if (rule.needs !== undefined) return argument(text, spans, -1, rule.needs) !== null;
  if (rule.mode === undefined) return true;
  const mode = argument(text, spans, rule.mode, "mode");
  const isWriting = mode !== null && (values.of(mode) ?? []).some((text) => writingMode.test(text));
  return rule.targets[0]?.kind === "read" ? !isWriting : isWriting;
}

/** Characters before a dot in which the expression that the method belongs to is looked for. */
const maxReceiver = 400;

interface Receiver {
  readonly span: Span | null;
  readonly isPath: boolean;
}

/** The name or the `Path(…)` before a method's dot. */
function receiverBefore({ code }: CodeText, dot: number): Receiver {
  const head = code.slice(Math.max(0, dot - maxReceiver), dot);
  const name = /(?<![\w.])[A-Za-z_]\w*$/.exec(head)?.[0];
  const path = /(?:pathlib\.)?(?<![\w])Path\((?:[^()]|\([^()]*\))*\)$/.exec(head)?.[0];
  const found = name ?? path;
  if (found === undefined) return { span: null, isPath: false };
  const bound = `(?<![\\w.])${name}\\s*=\\s*\\(?\\s*(?:pathlib\\.)?Path\\(`;
  const isPath = path !== undefined || new RegExp(bound).test(code);
  return { span: { from: dot - found.length, to: dot }, isPath };
}
