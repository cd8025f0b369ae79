import { costOf, type Model } from "../../domain/model.ts";
import { headOf } from "../../substrate/memory/text.ts";
import type { EditedFile, FileSummary } from "./summary.ts";

/** Where summaries are kept between runs. */
export interface SummaryShelf {
  readonly known: readonly FileSummary[];
  /** Durable once it resolves. */
  readonly keep: (summary: FileSummary) => Promise<void>;
}

/** A text at the base. */
export interface Source {
  /** Git's name of it. */
  readonly sha: string;
  readonly text: string;
}

export interface SummariseParts {
  readonly model: Model;
  readonly shelf: SummaryShelf;
  /** null: it cannot be read as text. */
  readonly read: (file: string) => Promise<Source | null>;
  readonly signal: AbortSignal;
  /** US dollars; nothing more is asked once they are spent. */
  readonly costLimit: number;
  readonly tell: (done: number, of: number, file: string) => void;
}

export interface Summarised {
  /** In the order of `files`, as far as there are any. */
  readonly summaries: readonly FileSummary[];
  /** Model calls that were made now. */
  readonly calls: number;
  /** null: the price is not known. */
  readonly costUsd: number | null;
  /** Files that are left, for the money ran out. */
  readonly left: number;
}

/** Characters of a file that the model reads: its beginning says what it is for. Our choice. */
const sourceChars = 24_000;
const maxOutputTokens = 400;

/**
 * What each file does, from its text at the base: one call a file, and none where the same text was
 * summarised before. The paper lets an agent explore ($0.23 a file, arXiv:2510.01003); ours reads
 * the file alone. Rejects as the model and the shelf do; what was made by then is kept.
 */
export async function summarise(
  files: readonly EditedFile[],
  parts: SummariseParts,
): Promise<Summarised> {
  const { model, shelf, costLimit } = parts;
  const known = new Map(shelf.known.map((one) => [`${one.file} ${one.sourceSha}`, one]));
  const summaries: FileSummary[] = [];
  let calls = 0;
  let spent = 0;
  let left = 0;
  for (const [at, { file, edits }] of files.entries()) {
    parts.tell(at, files.length, file);
    const source = await parts.read(file);
    if (source === null) continue;
    const before = known.get(`${file} ${source.sha}`);
    if (before !== undefined) summaries.push({ ...before, edits });
    else if (spent >= costLimit) left += 1;
    else {
      const summary = await ask({ file, edits }, source, parts);
      await shelf.keep(summary);
      summaries.push(summary);
      calls += 1;
      spent += summary.costUsd ?? 0;
    }
  }
  return { summaries, calls, costUsd: model.price === null ? null : spent, left };
}

async function ask(
  { file, edits }: EditedFile,
  { sha, text }: Source,
  { model, signal }: SummariseParts,
): Promise<FileSummary> {
  const content = `Here is ${file}:

<file>
${headOf(text, sourceChars)}
</file>

Say in three sentences at most what this file is responsible for, and name its main classes and functions. Answer with these sentences alone.`;
  const request = {
    purpose: "summarise",
    messages: [{ role: "user", content }],
    tools: [],
    maxOutputTokens,
  } as const;
  const { message, usage } = await model.complete(request, { signal, onRetry: () => {} });
  const costUsd = model.price && costOf(usage, model.price);
  const summary = message.content.trim().replace(/\s+/g, " ");
  return { file, edits, summary, sourceSha: sha, model: model.name, costUsd };
}
