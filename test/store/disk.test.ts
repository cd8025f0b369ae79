import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { PmcoderError } from "../../src/domain/errors.ts";
import { writeOutput } from "../../src/store/files.ts";
import { openJournal } from "../../src/store/sqlite.ts";
import { makeStateFolder, stateFolderOf } from "../../src/store/state-folder.ts";
import { beginEvent } from "../trajectories/recorded-episode.ts";
import { canMount, mountSmallDisk, type SmallDisk } from "./small-disk.ts";

async function withDisk(
  kilobytes: number,
  work: (disk: SmallDisk) => Promise<void>,
): Promise<void> {
  const disk = mountSmallDisk(kilobytes);
  if (!disk) throw new Error("no disk could be mounted");
  try {
    await work(disk);
  } finally {
    disk.remove();
  }
}

async function failure(work: () => unknown): Promise<PmcoderError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof PmcoderError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

const clock = { now: () => 1_800_000_000_000 };
/** Text that does not compress. */
const noise = (seed: number) =>
  Array.from({ length: 4000 }, (_, n) =>
    String.fromCharCode(33 + ((seed * 31 + n * n * 7) % 90)),
  ).join("");

describe.runIf(canMount)("a disk that fills", () => {
  it("ends appends with an error that says so; what was appended before is whole", async () => {
    await withDisk(512, async ({ folder }) => {
      writeFileSync(join(folder, "ballast"), Buffer.alloc(128 * 1024));
      const file = join(folder, "pmcoder.db");
      const journal = openJournal(file, clock);
      await journal.append("r1", [beginEvent("r1")]);
      let kept = 1;
      const error = await failure(async () => {
        for (;;) {
          await journal.append("r1", [
            { type: "notice", text: noise(kept) },
            { type: "notice", text: noise(-kept) },
          ]);
          kept += 2;
        }
      });
      expect(error.code).toBe("storage");
      expect(error.message).toMatch(/^Cannot write to .*pmcoder\.db: the disk (is full|failed)/);
      expect(kept).toBeGreaterThan(10);
      expect(await journal.read("r1")).toHaveLength(kept);

      rmSync(join(folder, "ballast"));
      const [next] = await journal.append("r1", [{ type: "notice", text: "space again" }]);
      expect(next?.seq).toBe(kept);
      await journal.close();
      const again = openJournal(file, clock);
      expect(await again.read("r1")).toHaveLength(kept + 1);
      await again.close();
    });
  });

  it("leaves an output file as it was, and no draft of the new one", async () => {
    await withDisk(64, async ({ folder }) => {
      writeOutput(folder, "patch.diff", "old\n");
      const error = await failure(() => writeOutput(folder, "patch.diff", "x".repeat(200_000)));
      expect(error.code).toBe("storage");
      expect(error.message).toBe(
        `Cannot write ${join(folder, "patch.diff")}: the disk is full. Free some space.`,
      );
      expect(readFileSync(join(folder, "patch.diff"), "utf8")).toBe("old\n");
      expect(readdirSync(folder)).toEqual(["patch.diff"]);
    });
  });
});

describe.runIf(canMount)("a disk that is read-only", () => {
  it("refuses the state folder, the journal and outputs, each by name", async () => {
    await withDisk(256, async ({ folder, protect }) => {
      protect();
      const state = stateFolderOf(folder);
      expect((await failure(() => makeStateFolder(state))).message).toBe(
        `Cannot make ${state.folder}: its file system is read-only. Choose another folder.`,
      );
      expect((await failure(() => openJournal(join(folder, "pmcoder.db"), clock))).message).toMatch(
        /^Cannot open .*pmcoder\.db: it (cannot be opened|may not be written)/,
      );
      const file = join(folder, "out", "summary.json");
      expect(
        (await failure(() => writeOutput(join(folder, "out"), "summary.json", {}))).message,
      ).toBe(`Cannot write ${file}: its file system is read-only. Choose another folder.`);
      expect(existsSync(join(folder, "out"))).toBe(false);
    });
  });

  it("refuses to append to a journal that stands there", async () => {
    await withDisk(512, async ({ folder, protect }) => {
      const file = join(folder, "pmcoder.db");
      const script = fileURLToPath(new URL("./journal-writer.ts", import.meta.url));
      spawnSync(process.execPath, ["--import", "tsx", script, file, "r1", "2"]);
      expect(existsSync(file)).toBe(true);
      protect();
      const error = await failure(async () => {
        const locked = openJournal(file, clock);
        await locked.append("r1", [{ type: "notice", text: "a" }]);
      });
      expect(error.message).toMatch(
        /^Cannot (open|write to) .*pmcoder\.db: it (cannot be|may not)/,
      );
    });
  });
});
