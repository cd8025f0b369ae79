import { headOf } from "../memory/text.ts";
import { type Recollection, recollectionLine } from "./block.ts";

/** Where the random draws of one block start. */
export interface PlaceboSeed {
  readonly seed: number;
  readonly step: number;
}

/**
 * The control for what a block says: as many memory lines, each as long, but filled with random
 * lines of randomly drawn nodes. The same seed, step and nodes give the same lines.
 */
export function placeboLines(
  lines: readonly string[],
  eligible: readonly Recollection[],
  { seed, step }: PlaceboSeed,
): readonly string[] {
  return lines.map((line, index) => {
    const place = `${seed}/${step}/${index}`;
    const node = eligible[Math.floor(randomAt(place) * eligible.length)];
    if (node === undefined) return " ".repeat(line.length);
    const drawn = { ...node, view: randomLines(node.view, line.length, place) };
    const text = recollectionLine(drawn, drawn.view.length);
    return headOf(text, line.length).padEnd(line.length);
  });
}

/** Random lines of a text, with repetition, until there are `length` characters. */
function randomLines(text: string, length: number, place: string): string {
  const pool = text.split("\n").filter((line) => line.trim() !== "");
  const drawn: string[] = [];
  for (let size = 0; size < length && pool.length > 0; ) {
    const line = pool[Math.floor(randomAt(`${place}/${drawn.length}`) * pool.length)] ?? "";
    drawn.push(line);
    size += line.length + 1;
  }
  return drawn.join("\n");
}

/** A number from 0 (included) to 1 (excluded) that a name alone decides: FNV-1a, then mixed. */
export function randomAt(name: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < name.length; index++) {
    value = Math.imul(value ^ name.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return ((value ^ (value >>> 16)) >>> 0) / 2 ** 32;
}
