import { createHash } from "node:crypto";

/** Names that Windows keeps for devices, whatever ending follows. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

/** A name that every file system takes as it is, and that no other spelling of it meets. */
const plain = /^[a-z0-9_](?:[a-z0-9._-]{0,98}[a-z0-9_-])?$/;

/** Characters of an id that stay readable before its hash. */
const readable = 60;

/**
 * The name of the folder for an instance (or anything else with an id from outside): one path part
 * of at most 100 bytes, none of them a separator, and not the same for two ids, also where the disk
 * tells neither upper case nor forms of Unicode apart. A plain id, such as `sympy__sympy-23824`,
 * stands for itself; of any other what is readable, `~`, and 128 bits of the SHA-256 of its UTF-16
 * code units, so that halves of surrogate pairs count too.
 */
export function folderNameOf(id: string): string {
  if (plain.test(id) && !reserved.test(id)) return id;
  const words = id.toLowerCase().match(/[a-z0-9_]+/g) ?? [];
  const start = words.join("-").slice(0, readable);
  const hash = createHash("sha256").update(Buffer.from(id, "utf16le")).digest("hex");
  return `${start}~${hash.slice(0, 32)}`;
}
