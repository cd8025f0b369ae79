import { z } from "zod";
import type { PastEpisode } from "../../domain/experience.ts";
import type { Message } from "../../domain/message.ts";
import { rolloutText } from "./rollout.ts";

const lines = (most: number) =>
  z
    .union([z.string().transform((text) => [text]), z.array(z.string())])
    .transform((texts) => texts.map((text) => text.trim()).filter((text) => text !== ""))
    .pipe(z.array(z.string()).min(1))
    .transform((texts) => texts.slice(0, most));

/** Strategies of a repair (the published code: at most three). */
const mostModifications = 3;
/** Lessons of a failure. Our choice: what fits the budget of one experience. */
const mostReflections = 5;

export const Perspective = z.object({ perspective: lines(1) });
export const Modification = z.object({ modification: lines(mostModifications) });
export const Reflections = z.object({
  perspective: lines(mostReflections),
  modification: lines(mostReflections),
});

const abstract = [
  "Write for someone who works on another repository: name no class, function, variable, module or",
  "file, quote no code, and say nothing that holds here only.",
];

const shape = (example: string) => ["", "Answer with one JSON object and no other text:", example];

/** Shown to the extraction agents: one episode, cut to what they may read. */
export interface Told {
  readonly episode: PastEpisode;
  readonly issueChars: number;
  readonly rolloutChars: number;
}

function question(system: readonly string[], user: readonly string[]): readonly Message[] {
  return [
    { role: "system", content: system.join("\n") },
    { role: "user", content: user.join("\n\n") },
  ];
}

const issuePart = ({ episode, issueChars }: Told) =>
  `The issue:\n${episode.from.issue.slice(0, issueChars)}`;

function patchPart(patch: string, { rolloutChars }: Told, title: string): string {
  return `${title}:\n${patch.slice(0, Math.floor(rolloutChars / 2))}`;
}

/** What insight led from the symptoms to the cause (SWE-Exp, 3.3.1; our words). */
export function perspectiveQuestion(told: Told): readonly Message[] {
  const { episode, rolloutChars } = told;
  return question(
    [
      "An issue was resolved. Say in one or two sentences how such an issue should be looked at: from",
      "which symptoms to which kind of cause, and where in a design one should begin to look.",
      ...abstract,
      ...shape('{"perspective": "…"}'),
    ],
    [
      issuePart(told),
      patchPart(episode.patch, told, "The patch that resolved it"),
      `The way to it:\n${rolloutText(episode.steps, "actions", rolloutChars)}`,
    ],
  );
}

/** By which moves the code was mended. */
export function modificationQuestion(told: Told): readonly Message[] {
  const { episode, rolloutChars } = told;
  return question(
    [
      "An issue was resolved. Say in at most three sentences by which strategies its code was",
      "changed, and what kept the change from breaking anything else; each must work elsewhere.",
      ...abstract,
      ...shape('{"modification": ["…", "…"]}'),
    ],
    [
      issuePart(told),
      `The way to the patch:\n${rolloutText(episode.steps, "results", rolloutChars)}`,
      patchPart(episode.patch, told, "The patch that resolved it"),
    ],
  );
}

/** What an attempt that failed should have understood and done instead. */
export function reflectionQuestion(told: Told): readonly Message[] {
  const { episode, rolloutChars } = told;
  const { goldPatch } = episode;
  return question(
    [
      "An attempt at an issue failed. Reflect on it: what was misunderstood about the issue, and what",
      "was wrong about the change? Say what to do instead, so that the next one does not repeat it.",
      ...abstract,
      ...shape('{"perspective": ["…"], "modification": ["…"]}'),
    ],
    [
      issuePart(told),
      `The attempt:\n${rolloutText(episode.steps, "results", rolloutChars)}`,
      patchPart(episode.patch === "" ? "(none)" : episode.patch, told, "Its patch"),
      ...(goldPatch === undefined
        ? []
        : [patchPart(goldPatch, told, "The patch that resolves it")]),
    ],
  );
}
