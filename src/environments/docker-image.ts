/** The fields of a dataset row that say which image it runs in; each is from another age of SWE-bench. */
export interface ImageRow {
  readonly instance_id: string;
  readonly image?: string | null;
  readonly image_name?: string | null;
  readonly docker_image?: string | null;
}

/**
 * The image of an instance: what its row names, else the one that SWE-bench publishes for it. Image
 * repositories are lower case and hold no double underscore, which is why ids are rewritten; tags
 * and digests keep their case.
 */
export function imageOf(row: ImageRow): string {
  const named = row.image ?? row.image_name ?? row.docker_image;
  if (named !== undefined && named !== null) return lowerRepository(named);
  const id = row.instance_id.replaceAll("__", "_1776_").toLowerCase();
  return `docker.io/swebench/sweb.eval.x86_64.${id}:latest`;
}

function lowerRepository(image: string): string {
  const { repository, rest } = splitImage(image);
  return repository.toLowerCase() + rest;
}

/** `rest` is the tag with its colon, or the digest with its sign, or empty. */
function splitImage(image: string): { readonly repository: string; readonly rest: string } {
  const digest = image.indexOf("@");
  const colon = image.indexOf(":", image.lastIndexOf("/") + 1);
  const end = digest >= 0 ? digest : colon >= 0 ? colon : image.length;
  return { repository: image.slice(0, end), rest: image.slice(end) };
}

/** A name that leaves out its tag means `latest`; to an engine it would mean every tag. */
export function withTag(image: string): string {
  return splitImage(image).rest === "" ? `${image}:latest` : image;
}

/** SWE-bench's images exist for one processor; elsewhere an engine must be told to take them. */
export function platformOf(image: string): string | undefined {
  return image.includes(".x86_64.") ? "linux/amd64" : undefined;
}
