import { describe, expect, it } from "vitest";
import { PmcoderError } from "../../src/domain/errors.ts";
import { isLockedOut, storageError } from "../../src/store/storage-error.ts";

const failure = (message: string, more: object = {}) => Object.assign(new Error(message), more);
const told = (error: unknown) => storageError("/s/pmcoder.db", "read", error).message;

const aside =
  "Nothing was changed. Go on in another folder with --state, or keep it aside and begin anew: mkdir -p /s/damaged && mv /s/pmcoder.db* /s/damaged/";

describe("a failure of storage", () => {
  it.each([
    ["disk full", failure("x", { errcode: 13 }), /: the disk is full\. Free some space; what was/],
    [
      "locks that the file system lacks",
      failure("x", { errcode: 3850 }),
      /: its file system takes no locks, .* with --state\.$/,
    ],
    [
      "another failure of the disk",
      failure("x", { errcode: 266 }),
      /: the disk failed to read or write it\. /,
    ],
    [
      "a lock by its extended code",
      failure("x", { errcode: 517 }),
      /: another process keeps it locked\. /,
    ],
    ["a code without words", failure("too big", { errcode: 18 }), /: too big\.$/],
    ["a missing code", failure("disk I/O error"), /: the disk failed to read or write it\. /],
    ["the system's", failure("x", { code: "EROFS" }), /: its file system is read-only\. Choose/],
    [
      "a missing file",
      failure("x", { code: "ENOENT", syscall: "open" }),
      /: there is no such file\.$/,
    ],
    [
      "a folder that cannot be",
      failure("x", { code: "ENOENT", syscall: "mkdir" }),
      /: its file system lets no folder be made there\. Choose another folder\.$/,
    ],
    ["the system's without words", failure("odd", { code: "EODD" }), /: odd\.$/],
    ["no error at all", "what", /: what\.$/],
  ])("says what it is and what to do: %s", (_name, error, message) => {
    expect(told(error)).toMatch(/^Cannot read \/s\/pmcoder\.db: /);
    expect(told(error)).toMatch(message);
  });

  it.each([
    [failure("x", { errcode: 11 }), "it is damaged"],
    [failure("x", { errcode: 267 }), "it is damaged"],
    [failure("database disk image is malformed"), "it is damaged"],
    [failure("x", { errcode: 26 }), "it is damaged, or no database"],
  ])("of a damaged file ends with the command that keeps it aside (%#)", (error, what) => {
    expect(told(error)).toBe(`Cannot read /s/pmcoder.db: ${what}. ${aside}`);
  });

  it("is wrapped once, with its cause", () => {
    const cause = failure("x", { errcode: 13 });
    const once = storageError("/s/pmcoder.db", "read", cause);
    expect(once).toMatchObject({ code: "storage", cause });
    expect(storageError("/elsewhere", "write", once)).toBe(once);
    expect(once).toBeInstanceOf(PmcoderError);
  });

  it.each([
    [failure("x", { errcode: 5 }), true],
    [failure("x", { errcode: 261 }), true],
    [failure("database is locked"), true],
    [failure("x", { errcode: 13 }), false],
    [failure("x", { code: "EACCES" }), false],
    ["x", false],
  ])("tells a lock from other failures (%#)", (error, expected) => {
    expect(isLockedOut(error)).toBe(expected);
  });
});
