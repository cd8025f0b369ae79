import type { RepoMemConfig } from "../../domain/config/repomem.ts";
import { type Commit, shortOf, subjectOf } from "./commit.ts";
import type { CommitMemory } from "./commit-memory.ts";
import {
  type Evidence,
  type FileTexts,
  historiesOf,
  matches,
  pathsOf,
  recency,
  similarCommits,
  votes,
  weigh,
} from "./evidence.ts";
import { isSource } from "./files.ts";
import { type Mention, mentionsIn } from "./mentions.ts";

type Kind = keyof RepoMemConfig["evidence"];

/** Why a file is ranked where it is, the strongest evidence first. */
interface Reason {
  readonly kind: Kind;
  /** Its part of the score. */
  readonly share: number;
}

export interface RankedFile {
  readonly file: string;
  readonly score: number;
  readonly reasons: readonly Reason[];
  /** The most similar commit that changed it, where one voted. */
  readonly commit: Commit | null;
  /** What the issue calls it. */
  readonly mention: string | null;
}

/**
 * A term that stands n times asks 1 + ln n times, rounded: an output that repeats a name hundreds
 * of times would drown the rest. Our choice.
 */
export function dampen(terms: readonly string[]): readonly string[] {
  const times = new Map<string, number>();
  for (const term of terms) times.set(term, (times.get(term) ?? 0) + 1);
  return [...times].flatMap(([term, n]) =>
    Array.from({ length: Math.round(1 + Math.log(n)) }, () => term),
  );
}

/** `known`: files that may be ranked. Best first; without evidence a file is left out. */
export function rankFiles(
  memory: CommitMemory,
  issue: string,
  known: readonly string[],
  config: RepoMemConfig,
): readonly RankedFile[] {
  const files = config.sources ? known.filter(isSource) : known;
  const mentions = mentionsIn(issue, files);
  const kinds = evidenceOf(memory, { issue, files, mentions }, config);
  const isKnown = new Set(files);
  const total = [...weigh(kinds.map(({ evidence, weight }) => [evidence, weight]))]
    .filter(([file]) => isKnown.has(file))
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const shares = kinds.map(({ kind, evidence, weight }) => ({
    kind,
    share: weigh([[evidence, weight]]),
  }));
  const voters = votersOf(memory, issue, config.voters);
  return total.map(([file, score]) => ({
    file,
    score,
    reasons: shares
      .map(({ kind, share }) => ({ kind, share: share.get(file) ?? 0 }))
      .filter(({ share }) => share > 0)
      .sort((one, other) => other.share - one.share),
    commit: voters.get(file) ?? null,
    mention: mentions.find((mention) => mention.file === file)?.text ?? null,
  }));
}

interface Weighed {
  readonly kind: Kind;
  readonly evidence: Evidence;
  readonly weight: number;
}

function evidenceOf(
  memory: CommitMemory,
  asked: {
    readonly issue: string;
    readonly files: readonly string[];
    readonly mentions: readonly Mention[];
  },
  config: RepoMemConfig,
): readonly Weighed[] {
  const { files, mentions, issue } = asked;
  const whole = dampen(memory.tokenize(issue));
  const title = dampen(memory.tokenize(issue.trimStart().split("\n", 1)[0] ?? ""));
  const both = (ask: (query: readonly string[]) => Evidence) =>
    weigh([
      [only(ask(whole), files), 1],
      [config.title > 0 ? only(ask(title), files) : new Map(), config.title],
    ]);
  const texts = (of: (memory: CommitMemory, files: readonly string[]) => FileTexts) => {
    const told = of(memory, files);
    return both((query) => matches(told, query));
  };
  const kinds: Readonly<Record<Kind, () => Evidence>> = {
    votes: () => both((query) => votes(memory, query, config.voters)),
    histories: () => texts(historiesOf),
    paths: () => texts(pathsOf),
    mentions: () => new Map(mentions.map(({ file, weight }) => [file, weight])),
    recency: () => only(recency(memory), files),
  };
  return (Object.keys(kinds) as Kind[])
    .filter((kind) => config.evidence[kind] > 0)
    .map((kind) => ({ kind, evidence: kinds[kind](), weight: config.evidence[kind] }));
}

function only(evidence: Evidence, files: readonly string[]): Evidence {
  return new Map(
    files.flatMap((file): [string, number][] => {
      const value = evidence.get(file);
      return value === undefined ? [] : [[file, value]];
    }),
  );
}

function votersOf(memory: CommitMemory, issue: string, most: number): ReadonlyMap<string, Commit> {
  const best = new Map<string, Commit>();
  for (const { place } of similarCommits(memory, dampen(memory.tokenize(issue)), most)) {
    const commit = memory.commits[place];
    for (const file of memory.changed[place] ?? [])
      if (commit && !best.has(file)) best.set(file, commit);
  }
  return best;
}

/** One reason in words. */
export function sayWhy({ reasons, commit, mention }: RankedFile): readonly string[] {
  return reasons.flatMap(({ kind }) => {
    if (kind === "votes")
      return commit ? [`changed by ${shortOf(commit)} "${subjectOf(commit)}"`] : [];
    if (kind === "mentions") return [`the issue says ${mention ?? "its name"}`];
    const words = {
      histories: "its own commits speak of this",
      paths: "its path has words of the issue",
      recency: "changed lately",
    };
    return [words[kind]];
  });
}
