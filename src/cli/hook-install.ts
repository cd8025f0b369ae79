import { existsSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { PmcoderError } from "../domain/errors.ts";
import { textOf, writeWhole } from "../store/files.ts";
import { stateFolderOf } from "../store/state-folder.ts";
import { storageError } from "../store/storage-error.ts";
import { ask } from "./consent.ts";
import {
  differences,
  fileOf,
  installed,
  type Program,
  type Texts,
  uninstalled,
} from "./hook-change.ts";
import type { HookFlags, InstallHost } from "./hook-command.ts";
import type { Io } from "./io.ts";
import { inSession } from "./session.ts";
import { coloured, type Paint, plain } from "./terminal-text.ts";
import { root } from "./version.ts";

const backupOf = (file: string) => `${file}.pmcoder-backup`;

/**
 * Puts plan and memory into a host, or takes them out: shows the change, asks, and writes. Returns
 * the exit status: 0, also when there was nothing to do or the user said no. Throws PmcoderError
 * `usage` for settings that cannot be changed without loss and for missing consent, `storage` when a
 * file cannot be read or written.
 */
export async function changeHook(
  how: "install" | "uninstall",
  host: InstallHost,
  flags: HookFlags,
  io: Io,
): Promise<number> {
  if (flags.user && flags.project) {
    throw new PmcoderError("usage", "Give either --user or --project.");
  }
  const project = flags.project ? dirname(stateFolderOf(io.cwd).folder) : null;
  const file = realPath(fileOf(host, { env: io.env, home: io.env.HOME || homedir(), project }));
  const texts = { host, file, before: textOf(file) };
  const after =
    how === "install" ? installed(texts, programHere(), templateOf(host)) : restored(texts);
  const tell = (done: string) => {
    if (flags.json) io.stdout.write(`${JSON.stringify({ host, file, done })}\n`);
  };
  if (after === texts.before) {
    io.stderr.write(
      how === "install" ? `${file} is as it should be.\n` : `${file} holds nothing of pmcoder.\n`,
    );
    tell("nothing");
    return 0;
  }
  show(texts, after, io);
  if (!flags.yes && !(await agrees(io))) return declined(file, io);
  write(how, texts, after);
  io.stderr.write(closing(how, texts));
  tell(how === "install" ? "installed" : "uninstalled");
  return 0;
}

/** What the host runs later: the built program of this very package. */
function programHere(): Program {
  if (!existsSync(join(root, "dist", "src", "cli", "main.js"))) {
    throw new PmcoderError("usage", `${root} is not built. Run npm run build there first.`);
  }
  return { node: process.execPath, root };
}

const templates = { pi: "pi.ts", opencode: "opencode.js" } as const;

function templateOf(host: InstallHost): string {
  if (host !== "pi" && host !== "opencode") return "";
  return readFileSync(join(root, "assets", "hosts", templates[host]), "utf8");
}

/** What stood there before, byte for byte, unless the file was changed since. */
function restored(texts: Texts): string | null {
  const kept = textOf(backupOf(texts.file));
  const without = uninstalled(texts);
  if (kept === null || without === texts.before) return without;
  const meant = JSON.stringify(parsed(kept));
  return JSON.stringify(parsed(without)) === meant ? kept : without;
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "{}");
  } catch {
    return text;
  }
}

/** Where a link leads, so that a linked file is written and not unlinked. */
function realPath(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

function show({ file, before }: Texts, after: string | null, { stderr, env }: Io): void {
  const paint: Paint = stderr.isTTY && !env.NO_COLOR ? coloured : plain;
  const lines = differences(before, after).map((line) => {
    if (line.startsWith("+")) return paint("green", line);
    return line.startsWith("-") ? paint("red", line) : line;
  });
  const what = before === null ? " (new)" : after === null ? " (goes)" : "";
  stderr.write(`${file}${what}\n${lines.map((line) => `${line}\n`).join("")}`);
}

async function agrees(io: Io): Promise<boolean> {
  if (!io.stdin.isTTY) {
    throw new PmcoderError("usage", "Nobody can be asked here. Nothing was changed; add --yes.");
  }
  const answer = await inSession(io, ({ interruption: { signal } }) =>
    ask("Write this? [y]es, [N]o: ", { input: io.stdin, output: io.stderr, signal }),
  );
  return ["y", "yes"].includes(answer.toLowerCase());
}

function declined(file: string, { stderr }: Io): number {
  stderr.write(`${file} was left as it is.\n`);
  return 0;
}

function write(how: "install" | "uninstall", { file, before }: Texts, after: string | null): void {
  const backup = backupOf(file);
  if (how === "install" && before !== null && !existsSync(backup)) writeWhole(backup, before, file);
  if (after === null) remove(file);
  else writeWhole(file, after);
  if (how === "uninstall") remove(backup);
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw storageError(file, "remove", error);
  }
}

function closing(how: "install" | "uninstall", { host, before }: Texts): string {
  if (how === "uninstall")
    return `${host} is as it was. What sessions left is in .pmcoder/hosts.\n`;
  const kept = before === null ? "" : ` The file as it was is kept beside it.`;
  return `Done.${kept} Your next session in ${host} has plan and memory; pmcoder hook uninstall ${host} ends that.\n`;
}
