import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCassetteFile } from "../../src/models/cassette-file.ts";
import { canMount, mountSmallDisk } from "../store/small-disk.ts";

describe("openCassetteFile", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pmcoder-cassette-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("keeps each line before it returns", () => {
    const path = join(folder, "c.jsonl");
    const file = openCassetteFile(path);
    file.write("one\n");
    expect(readFileSync(path, "utf8")).toBe("one\n");
    file.write("two\n");
    file.close();
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
  });

  it("is for its owner alone, whatever others may read in the folder", () => {
    const mask = process.umask(0);
    try {
      openCassetteFile(join(folder, "c.jsonl")).write("x\n");
    } finally {
      process.umask(mask);
    }
    expect(statSync(join(folder, "c.jsonl")).mode & 0o777).toBe(0o600);
  });

  it("never writes over an old recording", () => {
    const path = join(folder, "c.jsonl");
    writeFileSync(path, "paid for");
    expect(() => openCassetteFile(path)).toThrow(expect.objectContaining({ code: "usage" }));
    expect(readFileSync(path, "utf8")).toBe("paid for");
  });

  it.each(["elsewhere.jsonl", "nowhere.jsonl"])("follows no link out of its folder: %s", (to) => {
    writeFileSync(join(folder, "elsewhere.jsonl"), "mine");
    mkdirSync(join(folder, "recordings"));
    const path = join(folder, "recordings", "c.jsonl");
    symlinkSync(join("..", to), path);
    expect(() => openCassetteFile(path)).toThrow(expect.objectContaining({ code: "usage" }));
    expect(readdirSync(folder).toSorted()).toEqual(["elsewhere.jsonl", "recordings"]);
    expect(readFileSync(join(folder, "elsewhere.jsonl"), "utf8")).toBe("mine");
  });

  it("says what is wrong with a file that cannot be written", () => {
    const file = openCassetteFile(join(folder, "c.jsonl"));
    file.close();
    expect(() => file.write("x\n")).toThrow(
      expect.objectContaining({ code: "storage", message: expect.stringContaining("c.jsonl") }),
    );
    expect(() => openCassetteFile(join(folder, "no", "c.jsonl"))).toThrow(
      expect.objectContaining({ code: "storage" }),
    );
  });

  it.runIf(canMount)("keeps whole lines when the disk is full", () => {
    const disk = mountSmallDisk(64);
    if (disk === null) throw new Error("no disk could be mounted");
    try {
      const path = join(disk.folder, "c.jsonl");
      const file = openCassetteFile(path);
      file.write("paid for\n");
      expect(() => file.write(`${"x".repeat(100_000)}\n`)).toThrow(
        expect.objectContaining({ code: "storage", message: expect.stringMatching(/ENOSPC/) }),
      );
      file.close();
      expect(readFileSync(path, "utf8")).toBe("paid for\n");
    } finally {
      disk.remove();
    }
  });
});
