import { statSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";

/** A larger journal takes more than the seconds that a look may take. Our choice: 500 MB. */
const maxBytes = 500e6;

/**
 * What SQLite's own quick check finds wrong with a journal's pages, in its words; null: nothing, or
 * the file is too large to look at in passing. Throws SQLite's error when it cannot be opened.
 */
export function integrityFault(file: string): string | null {
  if (statSync(file).size > maxBytes) return null;
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const found = Object.values(database.prepare("PRAGMA quick_check(1)").get() ?? {})[0];
    return found === "ok" ? null : String(found);
  } finally {
    database.close();
  }
}
