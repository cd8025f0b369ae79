import { describe, expect, it } from "vitest";
import { PmcoderError } from "../../src/domain/errors.ts";
import { isConnectionLoss, postgresError } from "../../src/store/postgres-error.ts";

const failure = (code: string | null, message = "as the server says") =>
  Object.assign(new Error(message), code === null ? {} : { code });

describe("a failure of PostgreSQL", () => {
  it.each([
    [failure("28P01"), "does not accept this user or password"],
    [
      failure(null, "SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string"),
      "password",
    ],
    [failure("3D000"), "there is no such database"],
    [failure("42501"), "may not do that"],
    [failure("42P01"), "tables are gone"],
    [failure("25006"), "read-only"],
    [failure("53100"), "its disk is full"],
    [failure("53300"), "no connection left"],
    [failure("XX001"), "damaged"],
    [failure("57P01"), "cannot be reached, or ended the connection"],
    [failure("ENOTFOUND"), "cannot be reached"],
    [failure("22P02"), "as the server says"],
  ])("is told with its reason: %o", (cause, words) => {
    const error = postgresError("DATABASE", "write to", cause);
    expect(error).toMatchObject({ code: "storage", cause });
    expect(error.message).toMatch(/^Cannot write to DATABASE: .*\.$/);
    expect(error.message).toContain(words);
  });

  it("is wrapped once", () => {
    const ours = new PmcoderError("storage", "It is full.");
    expect(postgresError("DATABASE", "read", ours)).toBe(ours);
  });

  it.each([
    [failure("ECONNRESET"), true],
    [failure("ECONNREFUSED", ""), true],
    [failure("08006"), true],
    [failure("57P03"), true],
    [failure("53300"), true],
    [failure(null, "Connection terminated unexpectedly"), true],
    [failure(null, "timeout exceeded when trying to connect"), true],
    [failure(null, "Query read timeout"), true],
    [failure("57014"), false],
    [failure("23505"), false],
    [failure(null, "Connection of ideas"), false],
    ["ECONNRESET", false],
  ])("is a lost connection or not: %o", (error, lost) => {
    expect(isConnectionLoss(error)).toBe(lost);
  });
});
