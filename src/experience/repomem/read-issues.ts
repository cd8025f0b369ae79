import { readFile } from "node:fs/promises";
import { z } from "zod";
import { PmcoderError } from "../../domain/errors.ts";
import type { IssueEntry } from "./commit.ts";

const Line = z.object({
  id: z.union([z.string(), z.number()]).transform((id) => String(id).replace(/^#/, "")),
  title: z.string(),
  body: z
    .string()
    .nullish()
    .transform((body) => body ?? ""),
});

/**
 * Issues of a repository from JSON lines with id (the number), title and body. Rejects with
 * PmcoderError `usage` that names the line.
 */
export async function readIssues(path: string): Promise<readonly IssueEntry[]> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PmcoderError("usage", `The issues ${path} cannot be read: ${reason}`, { cause });
  }
  return text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    try {
      return [Line.parse(JSON.parse(line))];
    } catch (cause) {
      const message = `${path}:${at + 1} is no issue: expected a JSON object with id, title and body.`;
      throw new PmcoderError("usage", message, { cause });
    }
  });
}
