import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EnvironmentConfig } from "../../src/domain/config/environment.ts";
import { type BubblewrapOptions, openBubblewrap } from "../../src/environments/bubblewrap.ts";
import { openLocal } from "../../src/environments/local.ts";
import type { EnvironmentFactory } from "../contracts/command.ts";
import type { Ownership } from "./owner.ts";

type Changes = Partial<BubblewrapOptions["config"]>;

export interface HostPlaces extends EnvironmentFactory {
  /** Options for a fresh copy, original and spool; odd characters in their path. */
  place(changes?: Changes): Omit<BubblewrapOptions, "env">;
  remove(): void;
}

/** Environments of this machine in temporary folders. */
export function hostPlaces(kind: Ownership["kind"]): HostPlaces {
  const root = mkdtempSync(join(tmpdir(), `pmcoder-${kind}-`));
  const place: HostPlaces["place"] = (changes) => {
    const folder = mkdtempSync(join(root, "it's an "));
    const [copy, at] = [join(folder, "copy"), join(folder, "original")];
    for (const path of [copy, at]) mkdirSync(path);
    return {
      copy,
      at,
      spool: join(folder, "spool"),
      config: EnvironmentConfig.parse(changes ?? {}),
    };
  };
  const open = kind === "local" ? openLocal : openBubblewrap;
  return {
    place,
    open: (changes, secrets) => open({ ...place(changes), env: { ...process.env, ...secrets } }),
    own: (command) => {
      const ownership: Ownership = { kind, options: place(), command };
      const program = fileURLToPath(new URL("owner.ts", import.meta.url));
      const args = ["--import", "tsx", program, JSON.stringify(ownership)];
      return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
