import type { Html } from "../../domain/html.ts";

/** A column; what it holds decides how it is set. */
export interface Column {
  readonly name: string;
  readonly holds: "text" | "numbers";
}

/** A table of a report, its cells as people read them. */
export interface Table {
  /** Unique in the report: a link leads to it. */
  readonly id: string;
  readonly caption: string;
  readonly columns: readonly Column[];
  /** As many cells as columns; the first names the row. */
  readonly rows: readonly (readonly string[])[];
  /** What must be known to read it, a sentence or two each. */
  readonly notes: readonly string[];
  /** Which runs it was made from. */
  readonly reads: string;
  /** A list to look things up in: the page folds it, and the Markdown goes without. */
  readonly isList?: true;
}

/** A drawing; it is never the only place of a number. */
export interface Figure {
  readonly id: string;
  readonly title: string;
  /** What it shows, for those who do not see it. */
  readonly description: string;
  readonly svg: Html;
}

export interface Section {
  readonly id: string;
  readonly title: string;
  /** Paragraphs before the tables. */
  readonly text: readonly string[];
  readonly figures: readonly Figure[];
  readonly tables: readonly Table[];
}

export interface Report {
  readonly title: string;
  /** The results in a few sentences. */
  readonly summary: readonly string[];
  /** What makes the results less than they seem. */
  readonly warnings: readonly string[];
  readonly sections: readonly Section[];
}

export const textColumn = (name: string): Column => ({ name, holds: "text" });
export const numberColumn = (name: string): Column => ({ name, holds: "numbers" });
