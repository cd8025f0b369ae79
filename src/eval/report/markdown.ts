import type { Column, Report, Section, Table } from "./document.ts";

/** The report as Markdown: its texts and tables. Figures and long lists stand in the page only. */
export function markdownOf({ title, summary, warnings, sections }: Report): string {
  const parts = [
    `# ${plain(title)}`,
    ...warnings.map((warning) => `> **Note:** ${plain(warning)}`),
    ...summary.map(plain),
    ...sections.flatMap(sectionParts),
  ];
  return `${parts.join("\n\n")}\n`;
}

function sectionParts({ title, text, tables }: Section): readonly string[] {
  const shown = tables.filter(({ isList }) => !isList);
  return [`## ${plain(title)}`, ...text.map(plain), ...shown.map(tableMarkdown)];
}

/** One table, its caption above, its notes and what it read below. */
export function tableMarkdown({ caption, columns, rows, notes, reads }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  const table = [
    line(columns.map(({ name }) => name)),
    `| ${columns.map(rule).join(" | ")} |`,
    ...rows.map(line),
  ].join("\n");
  return [`**${plain(caption)}**`, table, ...[...notes, reads].map(plain)].join("\n\n");
}

const rule = ({ holds }: Column) => (holds === "numbers" ? "---:" : "---");

const cell = (text: string) => plain(text).replaceAll("|", "\\|");

/** What Markdown would read as more than text. Underscores inside a name are text to it. */
const signs = /[\\`*[\]]|<(?=[a-z/!?])|(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/giu;

function plain(text: string): string {
  return text.replace(/\s+/g, " ").replace(signs, (found) => found.replace(/./g, "\\$&"));
}
