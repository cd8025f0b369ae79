import { PmcoderError } from "../../domain/errors.ts";
import type { Commit } from "./commit.ts";

/** What `git log` has to be asked for, so that `GitLog` can read it. Zero bytes are in no message and no path. */
export const logFormat = ["-z", "--name-status", "--format=tformat:%x00%H%x00%P%x00%ct%x00%B%x00"];

type Field = "start" | "sha" | "parents" | "date" | "message" | "end" | "change" | "path" | "after";

/**
 * Reads the output of `git log` as it arrives, in pieces of any size. Seconds since 1970 are asked
 * for rather than a date, because zones such as `+518:00` stand in real histories.
 */
export class GitLog {
  #expected: Field = "start";
  #rest = "";
  readonly #decoder = new TextDecoder("utf-8");
  #sha = "";
  #parents: readonly string[] = [];
  #committedAt: number | null = null;
  #message = "";
  #files: string[] = [];
  #moves: (readonly [string, string])[] = [];
  #isMove = false;
  #before = "";

  /** The commits that are whole with this piece. Throws PmcoderError `internal` on other output. */
  push(piece: Uint8Array): readonly Commit[] {
    const fields = (this.#rest + this.#decoder.decode(piece, { stream: true })).split("\0");
    this.#rest = fields.pop() ?? "";
    return fields.flatMap((field) => this.#take(field) ?? []);
  }

  /** The last commit, once nothing more comes. */
  end(): readonly Commit[] {
    if (this.#rest.trim() !== "") throw unexpected(this.#expected, this.#rest);
    return this.#sha === "" ? [] : [this.#finish()];
  }

  /** Gives the commit before, where this field begins another. */
  #take(field: string): Commit | null {
    switch (this.#expected) {
      case "start":
        if (field !== "") throw unexpected("start", field);
        this.#expected = "sha";
        return null;
      case "change":
        return this.#takeChange(field);
      case "path":
        this.#files.push(field);
        this.#before = field;
        this.#expected = this.#isMove ? "after" : "change";
        return null;
      case "after":
        this.#files.push(field);
        this.#moves.push([this.#before, field]);
        this.#expected = "change";
        return null;
      default:
        this.#takeHead(this.#expected, field);
        return null;
    }
  }

  #takeHead(expected: "sha" | "parents" | "date" | "message" | "end", field: string): void {
    if (expected === "sha") {
      if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(field)) throw unexpected("sha", field);
      this.#sha = field;
      this.#expected = "parents";
    } else if (expected === "parents") {
      this.#parents = field.split(" ").filter((sha) => sha !== "");
      this.#expected = "date";
    } else if (expected === "date") {
      this.#committedAt = /^-?\d+$/.test(field) ? Number(field) * 1000 : null;
      this.#expected = "message";
    } else if (expected === "message") {
      this.#message = field.trim();
      this.#expected = "end";
    } else this.#expected = "change";
  }

  /** `M` and the like, or nothing where the next commit begins. */
  #takeChange(field: string): Commit | null {
    if (field === "") {
      const done = this.#finish();
      this.#expected = "sha";
      return done;
    }
    const kind = field.trimStart()[0] ?? "";
    this.#isMove = kind === "R";
    this.#expected = "path";
    if (!/^[A-Z]\d*$/.test(field.trimStart())) throw unexpected("change", field);
    return null;
  }

  #finish(): Commit {
    const commit: Commit = {
      sha: this.#sha,
      parents: this.#parents,
      message: this.#message,
      committedAt: this.#committedAt,
      files: this.#files,
      moves: this.#moves,
    };
    this.#sha = "";
    this.#files = [];
    this.#moves = [];
    return commit;
  }
}

function unexpected(what: string, found: string): PmcoderError {
  const shown = JSON.stringify(found.slice(0, 60));
  return new PmcoderError(
    "internal",
    `git log printed ${shown} where a commit's ${what} was expected.`,
  );
}
