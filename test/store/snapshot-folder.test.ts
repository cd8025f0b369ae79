import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { snapshotFolder } from "../../src/store/snapshot-folder.ts";

function place() {
  const root = mkdtempSync(join(tmpdir(), "pmcoder-shelf-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, "run", "snapshots");
  return { root, folder, shelf: snapshotFolder(folder) };
}

const bytes = Buffer.from([0, 255, 13, 10]);

describe("a folder of saved states", () => {
  it("stands once something is saved, and gives it back byte for byte", () => {
    const { folder, shelf } = place();
    expect(shelf.get("a")).toBeNull();
    shelf.keepOnly(["a"]);
    expect(existsSync(folder)).toBe(false);
    shelf.put("a", bytes);
    shelf.put("b", new Uint8Array());
    expect(shelf.get("a")).toEqual(bytes);
    expect(shelf.get("b")).toHaveLength(0);
    expect(snapshotFolder(folder).get("a")).toEqual(bytes);
  });

  it("keeps what it is told to, and what a killed process had half written goes", () => {
    const { folder, shelf } = place();
    for (const tree of ["a", "b", "c"]) shelf.put(tree, bytes);
    mkdirSync(join(folder, "sub"));
    rmSync(join(folder, "sub"), { recursive: true });
    shelf.keepOnly(["c", "a", "gone"]);
    expect(readdirSync(folder).sort()).toEqual(["a.diff", "c.diff"]);
    shelf.keepOnly([]);
    expect(existsSync(folder)).toBe(false);
    shelf.put("d", bytes);
    expect(shelf.get("d")).toEqual(bytes);
  });

  it.runIf(process.getuid?.() !== 0)("says what it cannot read or write", () => {
    const { folder, shelf } = place();
    shelf.put("a", bytes);
    chmodSync(join(folder, "a.diff"), 0);
    expect(() => shelf.get("a")).toThrow(expect.objectContaining({ code: "storage" }));
    chmodSync(folder, 0o500);
    expect(() => shelf.put("b", bytes)).toThrow(expect.objectContaining({ code: "storage" }));
    chmodSync(folder, 0o700);
  });

  it("says that it cannot be made", () => {
    const { root } = place();
    const shelf = snapshotFolder(join("/dev/null", root, "snapshots"));
    expect(() => shelf.put("a", bytes)).toThrow(expect.objectContaining({ code: "storage" }));
  });
});
