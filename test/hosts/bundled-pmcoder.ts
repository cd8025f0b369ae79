import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { builtPmcoder } from "../endurance/built-pmcoder.ts";

let main: string | null = null;

/** The built program with its hook in one file, as `npm run build` leaves it. */
export function bundledPmcoder(): string {
  main ??= bundle(builtPmcoder());
  return main;
}

function bundle(built: string): string {
  const cli = dirname(built);
  const build = dirname(dirname(cli));
  const folder = `${build}-bundled`;
  rmSync(folder, { recursive: true, force: true });
  cpSync(build, folder, { recursive: true });
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const bundled = join(folder, "src", "cli");
  const command: string = scripts.bundle.replaceAll("dist/src/cli", bundled);
  const PATH = `${join("node_modules", ".bin")}:${process.env["PATH"]}`;
  execFileSync("sh", ["-c", command], { env: { ...process.env, PATH }, stdio: "inherit" });
  return join(bundled, "main.js");
}
