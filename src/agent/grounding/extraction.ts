import type { EpisodeEvent } from "../../domain/episode.ts";
import type { Message } from "../../domain/message.ts";
import type { Reproducer } from "../../domain/reproducer.ts";
import { type Asking, ask } from "../ask.ts";

/** Characters of the issue. Our choice: long logs add cost and nothing to reproduce. */
const issueChars = 24_000;

const system = [
  "You turn a bug report into one script that tells whether the bug is present.",
  "You see the report alone, not the repository. The script is started at the top of the",
  "repository, whose own packages can be imported, with no network and no input.",
  "",
  "What its exit status means:",
  "  0  the software does what the report expects: the bug is gone",
  "  1  the bug shows itself as the report describes it",
  "  2  anything else: the script could not find out",
  "",
  "Rules:",
  "- Check the behaviour that the report asks for. Do not read source text, do not run the",
  "  project's test suite, and do not guess how it will be mended.",
  "- Where the report shows an exception, catch that exception and exit 1; let an exception that",
  "  it does not show lead to exit 2, missing modules included.",
  "- Print in a line or two what was expected and what was seen before you exit with 1.",
  "- Need nothing but the project and the standard library. Finish in seconds.",
  "- Leave the repository's files alone: write, if you must, to a temporary folder.",
  "",
  "Answer with exactly one fenced code block, tagged python or bash, and no other text.",
].join("\n");

export function extractionPrompt(issue: string): readonly Message[] {
  return [
    { role: "system", content: system },
    { role: "user", content: `The report:\n\n${issue.slice(0, issueChars)}` },
  ];
}

const languages: Readonly<Record<string, Reproducer["lang"]>> = {
  python: "python",
  python3: "python",
  py: "python",
  bash: "bash",
  sh: "bash",
  shell: "bash",
};

const opening = /^(`{3,}|~{3,})[ \t]*(\w*)/;

/** The first fenced block of a language that can be run; null when the reply holds none, whole. */
export function scriptIn(reply: string): Pick<Reproducer, "lang" | "text"> | null {
  for (const { tag, text } of blocksIn(reply.split(/\r?\n/))) {
    const lang = Object.hasOwn(languages, tag) ? languages[tag] : undefined;
    if (lang !== undefined && text.trim() !== "") return { lang, text };
  }
  return null;
}

/** Fenced blocks in their order, up to one that is not closed. */
function* blocksIn(lines: readonly string[]) {
  for (let at = 0; at < lines.length; at += 1) {
    const [, mark, tag = ""] = opening.exec(lines[at] ?? "") ?? [];
    if (mark === undefined) continue;
    const from = at + 1;
    at = from;
    while (at < lines.length && lines[at]?.trimEnd() !== mark) at += 1;
    if (at === lines.length) return;
    const text = lines.slice(from, at).map((line) => `${line}\n`);
    yield { tag: tag.toLowerCase(), text: text.join("") };
  }
}

/**
 * One model call writes a reproducer out of the issue's text alone (arXiv:2608.06811, IV-F: neither
 * the gold patch nor hidden tests are shown). Rejects as the model does.
 */
export async function extractReproducer(
  asking: Asking,
  issue: string,
  onRetry: (event: EpisodeEvent) => Promise<void>,
): Promise<Pick<Reproducer, "lang" | "text"> | null> {
  const { reply } = await ask(asking, {
    step: 0,
    purpose: "repro",
    messages: extractionPrompt(issue),
    tools: [],
    onRetry,
  });
  return scriptIn(reply.message.content);
}
