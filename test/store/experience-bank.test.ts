import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBank } from "../../src/store/experience-bank.ts";
import { describeBank } from "../contracts/bank.ts";

const clock = { now: () => 1_800_000_000_000 };

for (const place of ["a file", ":memory:"]) {
  describeBank(`SQLite in ${place}`, async () => {
    const home = mkdtempSync(join(tmpdir(), "pmcoder-bank-"));
    const name = place === ":memory:" ? place : join(home, "new", "experience.db");
    const bank = openBank(name, clock);
    return {
      bank,
      now: clock.now,
      close: async () => {
        await bank.close();
        rmSync(home, { recursive: true, force: true });
      },
    };
  });
}
