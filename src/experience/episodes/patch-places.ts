/** The files that a unified diff changes, in order. */
export function filesOf(patch: string): readonly string[] {
  return [...new Set([...placesOf(patch)].map(({ file }) => file))];
}

/** A line for each place that a unified diff changes: the file, and what git says it stands in. */
export function locationsOf(patch: string): string {
  const lines = [...placesOf(patch)].map(({ file, inside }) =>
    inside === "" ? file : `${file}: ${inside}`,
  );
  return [...new Set(lines)].join("\n");
}

interface PatchPlace {
  readonly file: string;
  /** The heading that git prints behind a hunk's numbers. */
  readonly inside: string;
}

function* placesOf(patch: string): Generator<PatchPlace> {
  let file: string | null = null;
  for (const line of patch.split("\n")) {
    const header = /^(?:\+\+\+ b|--- a)\/(.+?)\t?$/.exec(line)?.[1];
    if (header !== undefined) file = header;
    const hunk = /^@@ -\S+ \+\S+ @@ ?(.*)$/.exec(line)?.[1];
    if (hunk !== undefined && file !== null) yield { file, inside: hunk.trim() };
  }
}
