import { tagged } from "./conversation.ts";
import type { Location } from "./replies.ts";

const isSource =
  /\.(?:py|pyx|pyi|[cm]?[jt]sx?|vue|rb|go|java|kt|rs|c|cc|cpp|h|hpp|cs|php|sh|scala|swift)$/;
const isTest = /(?:^|\/)(?:tests?|testing|spec|__tests__)\//;

/**
 * The paths of a repository in so many characters: all of them, else sources alone, else sources
 * without tests, else as many of these as fit.
 */
export function treeText(files: readonly string[], chars: number): string {
  const sources = files.filter((path) => isSource.test(path));
  const wanted = [files, sources, sources.filter((path) => !isTest.test(path))];
  const texts = wanted.map((paths) => paths.join("\n"));
  const last = texts.at(-1) ?? "";
  return texts.find((text) => text.length <= chars) ?? last.slice(0, last.lastIndexOf("\n", chars));
}

const declaration =
  /^\s*(?:(?:export|default|public|private|protected|static|abstract|async|pub|final)\s+)*(?:class|def|function\*?|func|fn|interface|type|struct|enum|impl|module|trait|const\s+\w+\s*=\s*(?:async\s*)?\()/;

const numbered = (line: string, index: number) => `${index + 1}\t${line}`;

/** The lines of a text that declare something, with their numbers. */
export function outlineOf(text: string): string {
  const lines = text.split("\n").map((line, index) => ({ line, index }));
  return lines
    .filter(({ line }) => declaration.test(line))
    .map(({ line, index }) => numbered(line, index))
    .join("\n");
}

/** A text with line numbers, its outline where it is longer than so many characters. */
export const numberedText = (text: string, chars: number): string =>
  text.length <= chars ? text.split("\n").map(numbered).join("\n") : outlineOf(text);

/** Places with lines around them, those that touch as one, in order of file and line. */
export function mergePlaces(places: readonly Location[], around: number): readonly Location[] {
  const wide = places.map(({ file, from, to }) => ({
    file,
    from: Math.max(1, from - around),
    to: to + around,
  }));
  const files = [...new Set(wide.map(({ file }) => file))];
  return files.flatMap((file) =>
    wide
      .filter((place) => place.file === file)
      .sort((a, b) => a.from - b.from || a.to - b.to)
      .reduce<Location[]>(joinLast, []),
  );
}

function joinLast(merged: Location[], place: Location): Location[] {
  const last = merged.at(-1);
  if (last === undefined || place.from > last.to + 1) return [...merged, place];
  return [...merged.slice(0, -1), { ...last, to: Math.max(last.to, place.to) }];
}

/** One place of a text, with line numbers or as it stands, so that it can be copied. */
export function excerptOf(text: string, place: Location, withNumbers: boolean): string {
  const lines = text.split("\n");
  const to = Math.min(place.to, lines.length);
  const shown = lines.slice(place.from - 1, to);
  const body = withNumbers ? shown.map((line, at) => numbered(line, place.from - 1 + at)) : shown;
  return `${place.file}, lines ${place.from} to ${to}:\n${tagged("code", body.join("\n"))}`;
}
