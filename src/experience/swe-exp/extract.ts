import type { z } from "zod";
import type { ReadReply } from "../../domain/json-reply.ts";
import type { Message } from "../../domain/message.ts";
import { askUntilRead, type Say } from "../ask-until-read.ts";
import { concreteNamesOf, namesKept, withoutNames } from "./concrete-names.ts";
import {
  Modification,
  modificationQuestion,
  Perspective,
  perspectiveQuestion,
  Reflections,
  reflectionQuestion,
  type Told,
} from "./extraction-questions.ts";
import { IssueType, typingQuestion } from "./issue-type.ts";

/** The two facets, in sentences that hold in other repositories. */
export interface Facets {
  readonly perspective: readonly string[];
  readonly modification: readonly string[];
}

/** Sentences about an issue from which every name of its code is gone. */
type Abstract = Readonly<Record<string, string | readonly string[]>>;

interface Extraction {
  readonly say: Say;
  readonly tries: number;
  /** Names of the code concerned. */
  readonly names: ReadonlySet<string>;
}

/**
 * Both facets of an episode: of one that resolved its issue how, of another what to do instead. A
 * sentence that names concrete code is sent back once; what then still names it loses the names.
 */
export async function extractFacets(
  told: Told,
  asking: Pick<Extraction, "say" | "tries">,
): Promise<ReadReply<Facets>> {
  const { patch, resolved, goldPatch = "" } = told.episode;
  const extraction = { ...asking, names: concreteNamesOf(`${patch}\n${goldPatch}`) };
  if (!resolved) return askAbstract(reflectionQuestion(told), Reflections, extraction);
  const understood = await askAbstract(perspectiveQuestion(told), Perspective, extraction);
  if (!understood.ok) return understood;
  const repaired = await askAbstract(modificationQuestion(told), Modification, extraction);
  if (!repaired.ok) return repaired;
  return { ok: true, value: { ...understood.value, ...repaired.value } };
}

/** The kind of an issue, free of the names in `patch`, which its description could give away. */
export async function typeIssue(
  { issue, issueChars, patch }: { issue: string; issueChars: number; patch: string },
  asking: Pick<Extraction, "say" | "tries">,
): Promise<ReadReply<IssueType>> {
  const question = typingQuestion(issue, issueChars);
  const names = concreteNamesOf(patch);
  const typed = await askUntilRead(asking.say, question, IssueType, asking.tries);
  if (!typed.ok) return typed;
  const description = withoutNames(typed.value.description, names);
  return { ok: true, value: { ...typed.value, description } };
}

async function askAbstract<T extends Abstract>(
  question: readonly Message[],
  schema: z.ZodType<T>,
  { say, tries, names }: Extraction,
): Promise<ReadReply<T>> {
  const first = await askUntilRead(say, question, schema, tries);
  if (!first.ok) return first;
  const kept = sentencesOf(first.value).flatMap((sentence) => namesKept(sentence, names));
  if (kept.length === 0) return first;
  const again = await askUntilRead(say, refused(question, first.value, kept), schema, tries);
  return { ok: true, value: stripped(again.ok ? again.value : first.value, names) };
}

const sentencesOf = (value: Abstract) => Object.values(value).flat();

function refused(
  question: readonly Message[],
  value: Abstract,
  kept: readonly string[],
): readonly Message[] {
  return [
    ...question,
    { role: "assistant", content: JSON.stringify(value), calls: [] },
    {
      role: "user",
      content: `It names code of this repository: ${[...new Set(kept)].join(", ")}. Say the same without these names, in the same shape.`,
    },
  ];
}

function stripped<T extends Abstract>(value: T, names: ReadonlySet<string>): T {
  const entries = Object.entries(value).map(([key, said]) => [
    key,
    typeof said === "string"
      ? withoutNames(said, names)
      : said.map((sentence) => withoutNames(sentence, names)),
  ]);
  return Object.fromEntries(entries) as T;
}
