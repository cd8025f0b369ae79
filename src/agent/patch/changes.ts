import type { PatchRecord } from "../../domain/episode.ts";
import { toolFolderOf } from "../../domain/scratch.ts";
import { type RawPath, showPath } from "./paths.ts";

export type LeftOut = PatchRecord["leftOut"];

/** What git and the file system say of a work tree beside its base; a folder ends with a slash. */
export interface Survey {
  /** Files of the base whose content, mode or existence is another. */
  readonly changed: readonly RawPath[];
  /** Neither in the base nor ignored; a nested repository is one folder. */
  readonly untracked: readonly RawPath[];
  /** Those of both that are larger than the limit. */
  readonly large: ReadonlySet<RawPath>;
  /** What could not enter the base although it was there: nested repositories, unreadable files. */
  readonly unbased: readonly RawPath[];
  /** Ignored files that were there at the start; they stay out when the rules that hid them go. */
  readonly ignoredBefore: ReadonlySet<RawPath>;
  /** Ignored files made or changed since the start. */
  readonly ignoredNow: readonly RawPath[];
}

type Reason = "ignored" | "scratch" | "nested repository" | "too large" | "unreadable";

/** Which paths the patch covers, and which it does not and why; `isScratch` judges new files. */
export function chooseChanges(
  survey: Survey,
  isScratch: (path: string) => boolean,
): {
  readonly include: readonly RawPath[];
  readonly leftOut: LeftOut;
} {
  const include: RawPath[] = [];
  const named: Named[] = [];
  const decide = (raw: RawPath, reason: Reason | null) => {
    if (reason === null) include.push(raw);
    else named.push({ path: showPath(raw), reason });
  };
  const nestedBefore = new Set(survey.unbased.filter(isFolder));
  for (const raw of survey.changed) decide(raw, sizeReason(survey, raw));
  for (const raw of survey.untracked) {
    if (!nestedBefore.has(raw)) decide(raw, untrackedReason(survey, raw, isScratch));
  }
  for (const raw of survey.ignoredNow) decide(raw, "ignored");
  return { include, leftOut: summarize(named) };
}

const isFolder = (raw: RawPath) => raw.endsWith("/");

function sizeReason(survey: Survey, raw: RawPath): Reason | null {
  return survey.large.has(raw) ? "too large" : null;
}

function untrackedReason(
  survey: Survey,
  raw: RawPath,
  isScratch: (path: string) => boolean,
): Reason | null {
  if (isFolder(raw)) return "nested repository";
  for (const old of survey.unbased) {
    if (raw === old) return "unreadable";
    if (isFolder(old) && raw.startsWith(old)) return "nested repository";
  }
  if (survey.ignoredBefore.has(raw)) return "ignored";
  return isScratch(showPath(raw)) ? "scratch" : sizeReason(survey, raw);
}

/** Ignored files of one folder that are named one by one; more, and the folder stands for them. */
const perFolder = 10;
/** Entries in all. Our choice: a person reads the list. */
const perList = 100;

interface Named {
  readonly path: string;
  readonly reason: Reason;
}

/** The list for the record, each tool folder and full folder as one entry, cut with its count. */
function summarize(named: readonly Named[]): LeftOut {
  const groups = new Map<string, Named[]>();
  for (const entry of named) {
    const folder = toolFolderOf(entry.path) ?? entry.path.replace(/[^/]*$/, "");
    const key = `${entry.reason}:${folder}`;
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  const entries = [...groups].flatMap(([key, group]) => collapse(key, group));
  const rest = entries.length - perList;
  if (rest <= 0) return entries;
  return [...entries.slice(0, perList), { path: `(${rest} more)`, reason: "not listed" }];
}

function collapse(key: string, group: readonly Named[]): LeftOut {
  const folder = key.slice(key.indexOf(":") + 1);
  const reason = group[0]?.reason ?? "ignored";
  if (toolFolderOf(folder)) return [{ path: folder, reason }];
  if (folder === "" || reason !== "ignored" || group.length <= perFolder) return group;
  return [{ path: `${folder} (${group.length} files)`, reason }];
}
