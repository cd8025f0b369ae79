import { createReadStream, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { PmcoderError } from "../domain/errors.ts";
import { readRow } from "../eval/dataset-file.ts";
import { datasetsFolder, locateDataset } from "../eval/dataset-place.ts";
import type { DatasetRow } from "../eval/dataset-row.ts";
import type { Env, TextStream } from "./env.ts";
import { fetchIssue, parseIssueAddress } from "./github-issue.ts";

/** What the user gave: each a flag of its own, `text` the argument. */
export interface TaskFlags {
  readonly text?: string | undefined;
  readonly issue?: string | undefined;
  readonly instance?: string | undefined;
  readonly dataset?: string | undefined;
  readonly task?: string | undefined;
}

/** What the agent is asked to do; only `issue` and `instance` want a patch. */
export type Task =
  | { readonly kind: "issue" | "task"; readonly text: string }
  | { readonly kind: "instance"; readonly text: string; readonly row: DatasetRow };

export interface Surroundings {
  readonly env: Env;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stderr: TextStream;
}

const maxBytes = 1024 * 1024;
const sources =
  "a text argument, --issue FILE|-|GITHUB-URL, --instance ID --dataset FILE, or --task FILE";

/** Reads the task from the one source given. Throws PmcoderError `usage`, saying what to do. */
export async function readTask(flags: TaskFlags, around: Surroundings): Promise<Task> {
  const { text, issue, instance, dataset, task } = flags;
  const given = [
    text === undefined ? [] : ["a text argument"],
    issue === undefined ? [] : ["--issue"],
    instance === undefined && dataset === undefined ? [] : ["--instance with --dataset"],
    task === undefined ? [] : ["--task"],
  ].flat();
  if (given.length === 0) throw usage(`No issue is given. Give ${sources}.`);
  if (given.length > 1) throw usage(`Give one issue, not ${given.join(" and ")}: ${sources}.`);
  if (text !== undefined) return { kind: "issue", text: await readText(text, around) };
  if (issue !== undefined) return { kind: "issue", text: await readIssue(issue, around) };
  if (task !== undefined) return { kind: "task", text: await readTextFile(task, "--task", around) };
  const row = await readInstance(instance, dataset, around);
  return { kind: "instance", text: row.problem_statement, row };
}

async function readText(text: string, { env, cwd }: Surroundings): Promise<string> {
  const address = parseIssueAddress(text.trim());
  if (address) return fetchIssue(address, env);
  if (!/\s/.test(text) && statSync(resolve(cwd, text), { throwIfNoEntry: false })?.isFile()) {
    throw usage(`"${text}" is a file. Give --issue ${text} to read the issue from it.`);
  }
  return filled(text, "The issue");
}

function readIssue(issue: string, around: Surroundings): Promise<string> {
  const address = parseIssueAddress(issue);
  if (address) return fetchIssue(address, around.env);
  if (/^https?:\/\//i.test(issue)) {
    const known = "https://github.com/OWNER/REPO/issues/NUMBER";
    throw usage(`--issue ${issue}: only addresses such as ${known} are read. ${saveIt}`);
  }
  return readTextFile(issue, "--issue", around);
}

const saveIt = "Save the text to a file and give --issue FILE.";

async function readTextFile(name: string, flag: string, around: Surroundings): Promise<string> {
  const what = `${flag} ${name}`;
  if (name === "-" && around.stdin.isTTY) {
    around.stderr.write("Type or paste the text, then press Ctrl-D.\n");
  }
  const stream = name === "-" ? around.stdin : createReadStream(resolve(around.cwd, name));
  return filled(decode(await readBytes(stream, what), what), what);
}

/** The whole of a file, pipe or terminal, but no more than the limit: none has to have an end. */
async function readBytes(stream: Readable, what: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > maxBytes)
        throw usage(`${what} is larger than 1 MiB; give the issue's text alone.`);
    }
  } catch (error) {
    throw unreadable(error, what);
  }
  return Buffer.concat(chunks);
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function decode(bytes: Uint8Array, what: string): string {
  try {
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // The same answer as for a NUL below.
  }
  throw usage(`${what} is not text in UTF-8.`);
}

function filled(text: string, what: string): string {
  if (text.trim() === "") throw usage(`${what} is empty. Describe what is wrong.`);
  return text;
}

async function readInstance(
  id: string | undefined,
  dataset: string | undefined,
  { env, cwd }: Surroundings,
): Promise<DatasetRow> {
  if (id === undefined) throw usage("--dataset wants --instance ID beside it.");
  if (dataset === undefined) throw usage("--instance wants --dataset FILE beside it.");
  const path = locateDataset(dataset, { base: cwd, datasets: datasetsFolder(env) });
  return readRow(path, dataset, id);
}

function unreadable(error: unknown, what: string): PmcoderError {
  if (error instanceof PmcoderError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const missing = reason.startsWith("ENOENT");
  return usage(
    missing ? `${what}: there is no such file.` : `${what} cannot be read: ${reason}`,
    error,
  );
}

function usage(message: string, cause?: unknown): PmcoderError {
  return new PmcoderError("usage", message, { cause });
}
