import { PmcoderError } from "../../domain/errors.ts";
import type { Commit } from "./commit.ts";

interface Waiting {
  readonly commit: Commit;
  readonly at: number;
}

/**
 * The base and its ancestors, in the order of `git log`: the youngest that is reached comes next,
 * whatever order parents have. A commit without a readable date stands right after its child.
 * Parents that are not in the graph (a shallow clone) end their line. Throws PmcoderError `usage`
 * when the base is not in the graph.
 */
export function* ancestorsOf(graph: ReadonlyMap<string, Commit>, base: string): Iterable<Commit> {
  const first = graph.get(base);
  if (!first) {
    throw new PmcoderError("usage", `The history has no commit ${base}; is it of this repository?`);
  }
  const seen = new Set([base]);
  const queue: Waiting[] = [];
  enqueue(queue, { commit: first, at: first.committedAt ?? Number.MAX_SAFE_INTEGER });
  for (let next = dequeue(queue); next; next = dequeue(queue)) {
    yield next.commit;
    for (const sha of next.commit.parents) {
      const parent = graph.get(sha);
      if (!parent || seen.has(sha)) continue;
      seen.add(sha);
      enqueue(queue, { commit: parent, at: parent.committedAt ?? next.at });
    }
  }
}

/** A binary heap, the youngest at the top. */
function enqueue(heap: Waiting[], one: Waiting): void {
  let at = heap.length;
  heap.push(one);
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (!parent || parent.at >= one.at) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = one;
}

function dequeue(heap: Waiting[]): Waiting | undefined {
  const [top] = heap;
  const last = heap.pop();
  if (!top || !last || heap.length === 0) return top;
  let at = 0;
  for (;;) {
    const child = youngerChild(heap, at);
    const below = heap[child];
    if (!below || below.at <= last.at) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = last;
  return top;
}

function youngerChild(heap: readonly Waiting[], at: number): number {
  const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
  return left && right && right.at > left.at ? 2 * at + 2 : 2 * at + 1;
}
