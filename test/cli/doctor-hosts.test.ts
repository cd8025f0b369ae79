import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hostFindings } from "../../src/cli/doctor-hosts.ts";
import { noteTrouble } from "../../src/hosts/trouble.ts";
import { stateFolderOf } from "../../src/store/state-folder.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const at = Date.parse("2026-01-02T03:04:05Z");

it("says nothing of agents while nothing went wrong", () => {
  expect(hostFindings(stateFolderOf(temporaryFolder()))).toEqual([]);
});

it("tells each kind of trouble once, the newest first, and how to be rid of them", () => {
  const state = stateFolderOf(temporaryFolder());
  const folder = join(state.folder, "hosts");
  for (const n of [0, 1, 2]) noteTrouble(folder, { at: at + n * 1000, host: "pi", what: "old" });
  noteTrouble(folder, {
    at: at + 5000,
    host: "qwen-code",
    what: "an event\u001b[2J\n    at stack",
  });
  expect(hostFindings(state)).toEqual([
    {
      name: "other agents",
      state: "optional",
      found: "qwen-code, 2026-01-02 03:04:10: an event␛[2J",
      fix: `rm ${join(folder, "trouble.log")}`,
    },
    {
      name: "other agents",
      state: "optional",
      found: "pi, 3 times, last 2026-01-02 03:04:07: old",
    },
  ]);
});

it("names five kinds and counts the rest, whatever else the file holds", () => {
  const state = stateFolderOf(temporaryFolder());
  const folder = join(state.folder, "hosts");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "trouble.log"), 'half a line\n{"at":"x"}\n[]\n');
  for (let n = 0; n < 8; n += 1) noteTrouble(folder, { at: at + n, host: "pi", what: `kind ${n}` });
  const found = hostFindings(state).map((finding) => finding.found.replace(folder, "FOLDER"));
  expect(found).toHaveLength(6);
  expect(found.at(-1)).toBe("3 more in FOLDER/trouble.log");
});
