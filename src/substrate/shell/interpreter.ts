import { readCall } from "./heads.ts";
import { type Call, locateOne, type Meaning, meaning, type Place } from "./meaning.ts";
import type { Ledger } from "./memory.ts";
import { type Draft, draftOf, isFilter, narrowUpstream } from "./pipeline.ts";
import { after, assign, bind, type Scope, startIn } from "./scope.ts";
import { type Command, type Instruction, parseScript, type Redirect } from "./script.ts";
import { mergeScript } from "./segments.ts";
import { expandWord, type Word } from "./words.ts";
import { assignmentCount, nameOf, unwrap } from "./wrappers.ts";

/** Bounds, our choice: shells inside shells, segments of one command. */
const maxDepth = 4;
const maxSegments = 500;

/** How an inner script joins the commands around it. */
type Inside = Omit<Command, "type" | "raws"> & { readonly derived: boolean };

/** How a call stands among others; `isFed`: arguments that the text does not name come to it. */
type Calling = Inside & Pick<Command, "raws">;

const onTop: Inside = { connector: ";", conditional: false, redirects: [], derived: false };

/** Reads scripts segment by segment, keeping folder, names and files as a shell would. */
export class Interpreter {
  readonly #root: string;
  readonly #ledger: Ledger;
  #drafts: readonly Draft[] = [];
  #scope: Scope;
  #depth = 0;

  constructor(root: string, ledger: Ledger) {
    this.#root = root;
    this.#ledger = ledger;
    this.#scope = startIn(root);
  }

  get drafts(): readonly Draft[] {
    return this.#drafts;
  }

  get scope(): Scope {
    return this.#scope;
  }

  run(text: string, inside: Inside = onTop): void {
    const scopes: Scope[] = [];
    for (const instruction of joinAround(parseScript(text), inside)) {
      if (this.#drafts.length >= maxSegments) return;
      if (instruction.type === "enter") scopes.push(this.#scope);
      else if (instruction.type === "leave") this.#scope = scopes.pop() ?? this.#scope;
      else if (instruction.type === "command") this.#command(instruction, inside.derived);
      else this.#scope = bind(this.#scope, instruction.name, instruction.raws);
    }
  }

  get #place(): Place {
    return { root: this.#root, cwd: this.#scope.cwd, ledger: this.#ledger };
  }

  /** A script inside the command, in a scope of its own; its segments stand in its place. */
  #inner(text: string, inside: Inside): void {
    if (this.#depth >= maxDepth) return;
    const outer = this.#scope;
    this.#depth++;
    this.run(text, inside);
    this.#depth--;
    this.#scope = { ...outer, options: this.#scope.options };
  }

  #command(command: Command, derived: boolean): void {
    const count = assignmentCount(command.raws);
    const words = command.raws.slice(count).map((raw) => expandWord(raw, this.#scope.bindings));
    if (words.length === 0) this.#scope = assign(this.#scope, command.raws);
    if (words.length === 0 && command.redirects.length === 0) return;
    const program = unwrap(words);
    if (program.text !== null) this.#inner(program.text, { ...command, derived });
    else this.#call(program.words, program.more, { ...command, derived });
  }

  #call(words: readonly Word[], isFed: boolean, inside: Calling): void {
    const before = inside.connector === "|" ? (this.#drafts.at(-1) ?? null) : null;
    const stdin = this.#input(inside.redirects) ?? before?.prints ?? null;
    const call: Call = { head: nameOf(words[0]), words, stdin, place: this.#place };
    const read = words.length > 0 ? readCall(call) : meaning("neutral");
    if (read.text !== undefined && read.script === undefined) {
      this.#inner(read.text, { ...inside, redirects: withoutInput(inside.redirects) });
      return;
    }
    const upstream = isFed ? null : before;
    const known = { ...read, unresolved: read.unresolved || isFed };
    if (isFilter(known, upstream)) this.#drafts = narrowUpstream(this.#drafts, known.selection);
    const { bindings } = this.#scope;
    this.#add(draftOf({ ...inside, call, meaning: known, bindings, upstream }), known);
    this.#scope = after(this.#scope, call, inside.raws);
    const fed: Calling = { ...inside, redirects: [], connector: ";", derived: true };
    for (const run of read.runs ?? []) this.#call(run, true, fed);
  }

  #add(draft: Draft, { text, copies = [], folders = [], stash, opens, effects }: Meaning): void {
    const segment = text === undefined ? draft.segment : this.#script(draft, text);
    for (const { from, to } of copies) this.#ledger.copyBody(from, to);
    for (const folder of folders) this.#ledger.madeFolder(folder);
    if (stash === "push") this.#ledger.pushStash(effects.map(({ path }) => path));
    if (stash === "pop") this.#ledger.popStash();
    if (opens !== undefined) this.#ledger.opened = opens;
    this.#drafts = [...this.#drafts, { ...draft, segment }];
  }

  /** What a script does that the episode wrote, as the one segment that runs it. */
  #script({ segment }: Draft, text: string): Draft["segment"] {
    const before = this.#drafts;
    this.#drafts = [];
    this.#inner(text, { ...onTop, derived: true });
    const inner = this.#drafts.map((draft) => draft.segment);
    this.#drafts = before;
    return mergeScript(segment, inner);
  }

  /** What the redirects feed a call, as far as the text tells. */
  #input(redirects: readonly Redirect[]): string | null {
    const redirect = redirects.findLast(({ operator }) => isInput(operator));
    if (!redirect) return null;
    if (redirect.heredoc) return redirect.heredoc.body;
    const word = expandWord(redirect.raw, this.#scope.bindings);
    if (redirect.operator === "<<<") return `${word.text}\n`;
    const path = locateOne(this.#place, word);
    return path === null ? null : this.#ledger.body(path);
  }
}

function isInput(operator: string): boolean {
  return operator === "<" || operator === "<<" || operator === "<<<";
}

function withoutInput(redirects: readonly Redirect[]): readonly Redirect[] {
  return redirects.filter(({ operator }) => !isInput(operator));
}

/** An inner script's first command takes the outer connector, its last one the redirects. */
function joinAround(script: readonly Instruction[], inside: Inside): readonly Instruction[] {
  if (inside === onTop) return script;
  const first = script.findIndex(({ type }) => type === "command");
  const last = script.findLastIndex(({ type }) => type === "command");
  return script.map((instruction, at) => {
    if (instruction.type !== "command") return instruction;
    return {
      ...instruction,
      connector: at === first ? inside.connector : instruction.connector,
      conditional: instruction.conditional || inside.conditional,
      redirects:
        at === last ? [...instruction.redirects, ...inside.redirects] : instruction.redirects,
    };
  });
}
