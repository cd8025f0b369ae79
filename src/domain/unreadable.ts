/** What people call the system's codes, and zlib's for what is no whole gzip file. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "a part of its path is a file",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENAMETOOLONG: "its name is too long",
  Z_DATA_ERROR: "it is a damaged gzip file",
  Z_BUF_ERROR: "it is a damaged gzip file",
};

/** Why a file cannot be read, as the end of a sentence; what has no words of ours in the system's. */
export function whyUnreadable(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return reasons[String(Reflect.get(error, "code"))] ?? error.message;
}
