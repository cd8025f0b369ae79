import type { Listing } from "./action.ts";
import { isScratchWork, topFolder } from "./paths.ts";

/** What earlier commands told about one file. */
export interface FileNote {
  /** `new`: first seen when the episode wrote it; `folder`: made by the episode. */
  readonly origin: "tracked" | "new" | "folder";
  readonly dirty?: true;
  readonly gone?: true;
}

/** Body of a file that the episode wrote: what running or applying it would do. */
export interface ScriptBody {
  readonly path: string;
  readonly body: string;
}

/** What understanding the next command needs of the earlier ones. Plain JSON. */
export interface ShellMemory {
  readonly files: Readonly<Record<string, FileNote>>;
  /** The newest 20, oldest first. */
  readonly scripts: readonly ScriptBody[];
  /** Files of each stash, newest last. */
  readonly stashes: readonly (readonly string[])[];
  /** What the agent's editor shows, if it has one. */
  readonly opened: string | null;
}

export const noMemory: ShellMemory = { files: {}, scripts: [], stashes: [], opened: null };

/** Bodies kept, characters of a body worth keeping, and stashes kept. Our choice. */
const maxScripts = 20;
const maxBody = 65_536;
const maxStashes = 20;

/** Files that something else told of, a listing in an output for one: those not known are tracked. */
export function noteSeen(memory: ShellMemory, paths: readonly string[]): ShellMemory {
  const ledger = new Ledger(memory, null);
  for (const path of paths) ledger.seen(path);
  return ledger.toMemory();
}

/** The working copy of the memory while one command is read. */
export class Ledger {
  readonly #listing: Listing | null;
  readonly #files: Map<string, FileNote>;
  #scripts: readonly ScriptBody[];
  #stashes: readonly (readonly string[])[];
  /** The file in the agent's editor. */
  opened: string | null;

  constructor(memory: ShellMemory, listing: Listing | null) {
    this.#listing = listing;
    this.#files = new Map(Object.entries(memory.files));
    this.#scripts = memory.scripts;
    this.#stashes = memory.stashes;
    this.opened = memory.opened;
  }

  toMemory(): ShellMemory {
    return {
      files: Object.fromEntries(this.#files),
      scripts: this.#scripts,
      stashes: this.#stashes,
      opened: this.opened,
    };
  }

  isTracked(path: string): boolean {
    if (this.#listing) return this.#listing.files.has(path) || this.#listing.folders.has(path);
    return this.#files.get(path)?.origin === "tracked";
  }

  isScratch(path: string): boolean {
    return isScratchWork(path, this.isTracked(path), this.#isTrackedFolder(topFolder(path)));
  }

  /** Something tracked lies in it, as far as is known. */
  #isTrackedFolder(path: string): boolean {
    if (this.#listing) return this.#listing.folders.has(path);
    const prefix = `${path}/`;
    for (const [file, note] of this.#files) {
      if (note.origin === "tracked" && (file === path || file.startsWith(prefix))) return true;
    }
    return false;
  }

  get hasListing(): boolean {
    return this.#listing !== null;
  }

  /** Known to be there: listed, or used before. */
  exists(path: string): boolean {
    const note = this.#files.get(path);
    if (note) return note.gone === undefined;
    return path === "." || this.isTracked(path) || this.isFolder(path);
  }

  /** The episode removed it, and has not written it since. */
  isGone(path: string): boolean {
    return this.#files.get(path)?.gone === true;
  }

  isFolder(path: string): boolean {
    if (path === "." || this.#files.get(path)?.origin === "folder") return true;
    if (this.#listing?.folders.has(path)) return true;
    const prefix = `${path}/`;
    for (const [file, note] of this.#files) {
      if (note.gone === undefined && file.startsWith(prefix)) return true;
    }
    return false;
  }

  /**
   * Without a listing a file that is used before it was written counts as tracked, unless it lies
   * in a folder that the episode made.
   */
  seen(path: string): void {
    if (this.#files.has(path) || this.#listing) return;
    const isInside = this.#files.get(topFolder(path))?.origin === "folder";
    this.#files.set(path, { origin: isInside ? "new" : "tracked" });
  }

  madeFolder(path: string): void {
    if (!this.exists(path)) this.#files.set(path, { origin: "folder" });
  }

  /** Files known to be there. */
  known(): readonly string[] {
    const noted = [...this.#files].flatMap(([path, note]) =>
      note.gone || note.origin === "folder" ? [] : [path],
    );
    const listed = [...(this.#listing?.files ?? [])].filter((path) => !this.#files.has(path));
    return [...noted, ...listed];
  }

  edit(path: string): void {
    this.seen(path);
    this.write(path);
  }

  write(path: string): void {
    const origin = this.isTracked(path) ? "tracked" : "new";
    const top = topFolder(path);
    const isOwnFolder = origin === "new" && top !== path && !this.#isTrackedFolder(top);
    if (isOwnFolder) this.madeFolder(top);
    this.#files.set(path, { origin, dirty: true });
  }

  remove(path: string): void {
    const inside = `${path}/`;
    for (const [file, note] of this.#files) {
      if (file.startsWith(inside)) this.#files.set(file, { ...note, dirty: true, gone: true });
    }
    const origin = this.isTracked(path) ? "tracked" : "new";
    this.#files.set(path, { origin, dirty: true, gone: true });
  }

  revert(path: string): void {
    this.#files.set(path, { origin: "tracked" });
  }

  /** Tracked files that differ from their committed state, or new files still there. */
  dirty(origin: "tracked" | "new"): readonly string[] {
    return [...this.#files].flatMap(([path, note]) => {
      const isThere = origin === "tracked" || note.gone === undefined;
      return note.origin === origin && note.dirty && isThere ? [path] : [];
    });
  }

  pushStash(paths: readonly string[]): void {
    this.#stashes = [...this.#stashes, paths].slice(-maxStashes);
  }

  popStash(): void {
    this.#stashes = this.#stashes.slice(0, -1);
  }

  lastStash(): readonly string[] {
    return this.#stashes.at(-1) ?? [];
  }

  body(path: string): string | null {
    return this.#scripts.find((script) => script.path === path)?.body ?? null;
  }

  /** This text went into a file, at its end or in place of what it held. */
  fill(path: string, text: string, appends: boolean): void {
    const body = appends ? (this.body(path) ?? "") + text : text;
    const others = this.#scripts.filter((script) => script.path !== path);
    const isKept = body.length <= maxBody;
    this.#scripts = isKept ? [...others, { path, body }].slice(-maxScripts) : others;
  }

  copyBody(from: string, to: string): void {
    const body = this.body(from);
    if (body !== null) this.fill(to, body, false);
  }
}
