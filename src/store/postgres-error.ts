import { PmcoderError } from "../domain/errors.ts";

const away =
  "it cannot be reached, or ended the connection. Check that it runs and that this host may connect; what was recorded before is kept";

/** What is wrong and what to do about it, by SQLSTATE (PostgreSQL manual, appendix A) or its class. */
const reasons: Readonly<Record<string, string>> = {
  "28": "it does not accept this user or password. Check both in the address",
  "3D000":
    "there is no such database. Make it with createdb, or name another one with --store postgres://USER@HOST/DATABASE",
  "42501":
    "this user may not do that. Let the database's owner grant it CREATE on the database, or name the user who opened it first",
  "25006": "it is read-only. Name the primary server, not a standby",
  "42P01": "its tables are gone. Start pmcoder again to make them anew",
  "53100": "its disk is full. Free some space there; what was recorded before is kept",
  "53300":
    "it has no connection left. Start fewer workers, or raise its max_connections (a worker takes up to 4)",
  XX001: "it is damaged. Restore it from a backup",
};

/** Of Node, of servers that start, stop or have no room, and of pg, which has texts alone. */
const lossCodes =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|08\w{3}|57P0[1-5]|53300)$/;
const lossTexts =
  /^(Connection terminated|Client has encountered|timeout exceeded|Query read timeout)/;

const codeOf = (error: unknown) =>
  error instanceof Error ? String(Reflect.get(error, "code") ?? "") : "";

/** Whether the server may answer over a new connection; what was asked may have happened or not. */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return lossCodes.test(codeOf(error)) || lossTexts.test(error.message);
}

/** Whether a row was refused because one with its key is there. */
export const isDuplicate = (error: unknown) => codeOf(error) === "23505";

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const known = reasons[code] ?? reasons[code.slice(0, 2)];
  if (known !== undefined) return known;
  if (isConnectionLoss(error)) return away;
  const text = error instanceof Error ? error.message : String(error);
  // What pg says where the server wants a password and the address holds none.
  return text.startsWith("SASL") ? (reasons["28"] ?? text) : text;
}

/** A failure of pg or of the server as ours, naming the server; ours pass through. */
export function postgresError(server: string, doing: string, error: unknown): PmcoderError {
  if (error instanceof PmcoderError) return error;
  return new PmcoderError("storage", `Cannot ${doing} ${server}: ${reasonOf(error)}.`, {
    cause: error,
  });
}
