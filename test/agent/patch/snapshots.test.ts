import { describe, expect, it } from "vitest";
import { Snapshots } from "../../../src/agent/patch/snapshots.ts";
import { PmcoderError } from "../../../src/domain/errors.ts";
import type { SnapshotShelf } from "../../../src/domain/snapshots.ts";
import { callId, judged, started } from "../turn-events.ts";
import { type WorkTree, workTree } from "./work-tree.ts";

/** A shelf in memory. */
function shelf(): SnapshotShelf & { readonly trees: () => readonly string[] } {
  const kept = new Map<string, Uint8Array>();
  return {
    put: (tree, patch) => void kept.set(tree, patch),
    get: (tree) => kept.get(tree) ?? null,
    keepOnly: (trees) => {
      for (const tree of kept.keys()) if (!trees.includes(tree)) kept.delete(tree);
    },
    trees: () => [...kept.keys()],
  };
}

const snapshotsOf = ({ environment, base }: WorkTree, on: SnapshotShelf) =>
  new Snapshots({ environment, base, shelf: on, maxFileBytes: 20_000_000 });

/** Does what a step does: the command is noted, runs, and what was saved after it is noted. */
async function step(tree: WorkTree, snapshots: Snapshots, at: number, command: string) {
  snapshots.note([started(at, 1, command)]);
  tree.act(command);
  const saved = snapshots.isDue ? await snapshots.after({ step: at, callId: callId(at) }) : [];
  snapshots.note(saved);
  return saved;
}

describe("snapshots", () => {
  it.each([
    { command: "cat a.txt", isDue: false },
    { command: "grep -rn 1 . | head; git diff", isDue: false },
    { command: "echo 2 > a.txt", isDue: true },
    { command: "git checkout a.txt", isDue: true },
    { command: "python3 fix.py", isDue: true },
    { command: "make", isDue: true },
    { command: "pip install -e .", isDue: true },
    { command: "some-unknown-tool --in-place", isDue: true },
    { command: "cat a.txt && sed -i s/1/2/ a.txt", isDue: true },
  ])("are due after $command: $isDue", async ({ command, isDue }) => {
    const snapshots = snapshotsOf(await workTree({ "a.txt": "1\n" }), shelf());
    snapshots.note([started(1, 1, command)]);
    expect(snapshots.isDue).toBe(isDue);
  });

  it("tell of each new state once, and keep the newest, the one before and the best", async () => {
    const tree = await workTree({ "a.txt": "1\n" });
    const on = shelf();
    const snapshots = snapshotsOf(tree, on);
    expect(await step(tree, snapshots, 1, "sh -c :")).toEqual([]);
    const [first] = await step(tree, snapshots, 2, "echo 2 > a.txt");
    expect(first).toMatchObject({ type: "snapshot", step: 2, callId: callId(2) });
    snapshots.note([judged(2, "pass")]);
    expect(await step(tree, snapshots, 3, "sh -c :")).toEqual([]);
    const names = [first];
    for (const at of [4, 5, 6])
      names.push(...(await step(tree, snapshots, at, `echo ${at} > a.txt`)));
    const trees = names.map((event) => (event?.type === "snapshot" ? event.tree : ""));
    expect(on.trees()).toEqual([trees[0], trees[2], trees[3]]);
    const kept = names.at(-1);
    expect(kept).toMatchObject({ bytes: on.get(trees[3] ?? "")?.length });
  });

  it("are taken up by another process from the events alone", async () => {
    const tree = await workTree({ "a.txt": "1\n" });
    const on = shelf();
    const saved = await step(tree, snapshotsOf(tree, on), 1, "echo 2 > a.txt");
    const later = snapshotsOf(tree, on);
    later.note([started(1, 1, "echo 2 > a.txt"), ...saved]);
    expect(later.isDue).toBe(true);
    expect(await later.after({ step: 1, callId: callId(1) })).toEqual([]);
  });

  it("tell what could not be saved, and go on", async () => {
    const tree = await workTree({ "a.txt": "1\n" });
    const { environment } = tree;
    const snapshots = snapshotsOf(
      {
        ...tree,
        environment: {
          ...environment,
          execute: () => Promise.reject(new PmcoderError("internal", "git is broken.")),
        },
      },
      shelf(),
    );
    expect(await snapshots.after({ step: 1, callId: callId(1) })).toEqual([
      { type: "notice", text: "The work could not be saved: git is broken." },
    ]);
  });

  it("do not go on when the disk is full", async () => {
    const tree = await workTree({ "a.txt": "1\n" });
    const full: SnapshotShelf = {
      ...shelf(),
      put: () => {
        throw new PmcoderError("storage", "The disk is full.");
      },
    };
    tree.act("echo 2 > a.txt");
    const saving = snapshotsOf(tree, full).after({ step: 1, callId: callId(1) });
    await expect(saving).rejects.toMatchObject({ code: "storage" });
  });
});
