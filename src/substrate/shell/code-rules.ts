import type { Language } from "./code-text.ts";

/** One kind of call that changes files. */
export interface Rule {
  /** Its last character is the call's opening bracket. */
  readonly call: RegExp;
  /** Paths by argument place and name; `receiver`: what stands before the dot. */
  readonly targets: readonly {
    readonly kind: "read" | "write" | "edit" | "delete";
    readonly place: number | "receiver";
    readonly name?: string;
  }[];
  /** The mode argument must hold one of `w a x +`; where the targets are read, none of them. */
  readonly mode?: number;
  /** This keyword must be given. */
  readonly needs?: string;
  /** Strings and other objects have a method of that name too: only a path's counts. */
  readonly ofPath?: true;
  /** Results that any program may leave: counts only where the text names a file, and is no edit. */
  readonly product?: true;
  /** Fewer arguments mean something else. */
  readonly atLeast?: number;
}

const write = { kind: "write", place: 0 } as const;
const remove = { kind: "delete", place: 0 } as const;
const receiver = { kind: "write", place: "receiver" } as const;

const open = /(?<![\w.])open\(|\b(?:io|codecs|builtins|gzip|bz2|lzma)\.open\(/g;

const python: readonly Rule[] = [
  { call: open, targets: [{ ...write, name: "file" }], mode: 1 },
  { call: open, targets: [{ kind: "read", place: 0, name: "file" }], mode: 1 },
  { call: /\.read_(?:text|bytes)\(/g, targets: [{ ...receiver, kind: "read" }] },
  { call: /(?<!\b(?:io|codecs|builtins|gzip|bz2|lzma|os))\.open\(/g, targets: [receiver], mode: 0 },
  { call: /\.(?:write_text|write_bytes)\(/g, targets: [receiver] },
  { call: /\.touch\(/g, targets: [receiver], ofPath: true },
  { call: /\bshutil\.copy\w*\(/g, targets: [{ ...write, place: 1, name: "dst" }] },
  { call: /\bshutil\.move\(/g, targets: [remove, { ...write, place: 1, name: "dst" }] },
  {
    call: /\bos\.(?:rename|replace|renames)\(/g,
    targets: [remove, { ...write, place: 1, name: "dst" }],
  },
  {
    call: /\bshutil\.rmtree\(|\bos\.(?:remove|unlink|removedirs)\(/g,
    targets: [{ ...remove, name: "path" }],
  },
  { call: /\bos\.truncate\(/g, targets: [{ ...write, kind: "edit" }] },
  {
    call: /\bfileinput\.(?:input|FileInput)\(/g,
    targets: [{ ...write, kind: "edit", name: "files" }],
    needs: "inplace",
  },
  { call: /\.unlink\(/g, targets: [{ ...receiver, kind: "delete" }], ofPath: true },
  {
    call: /\.rename\(|\.replace\(/g,
    targets: [{ ...receiver, kind: "delete" }, write],
    ofPath: true,
  },
  {
    call: /\.(?:savefig|imsave|to_csv|to_json|to_excel|to_pickle|to_parquet|to_html)\(/g,
    targets: [write],
    product: true,
  },
  { call: /\.(?:save|savez|savez_compressed|savetxt)\(/g, targets: [write], product: true },
  // An open file's `write` takes one argument; with more it is an object that writes a named file.
  { call: /\.write\(/g, targets: [write], product: true, atLeast: 2 },
];

const inFs = /\b(?:fs|fsp|promises|fsPromises)\./.source;
const javascript: readonly Rule[] = [
  { call: /\breadFile(?:Sync)?\(/g, targets: [{ kind: "read", place: 0 }] },
  {
    call: /\b(?:writeFile|appendFile|createWriteStream|outputFile)(?:Sync)?\(/g,
    targets: [write],
  },
  { call: /\bunlink(?:Sync)?\(/g, targets: [remove] },
  { call: /\bcopyFile(?:Sync)?\(/g, targets: [{ ...write, place: 1 }] },
  { call: new RegExp(`${inFs}(?:rm|rmdir)(?:Sync)?\\(`, "g"), targets: [remove] },
  {
    call: new RegExp(`${inFs}rename(?:Sync)?\\(`, "g"),
    targets: [remove, { ...write, place: 1 }],
  },
  { call: new RegExp(`${inFs}cp(?:Sync)?\\(`, "g"), targets: [{ ...write, place: 1 }] },
  { call: new RegExp(`${inFs}truncate(?:Sync)?\\(`, "g"), targets: [{ ...write, kind: "edit" }] },
];

/** The calls that change files, by language. */
export const callRules: Readonly<Record<Language, readonly Rule[]>> = { python, javascript };
