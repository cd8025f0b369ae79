import { type Html, html } from "../../../domain/html.ts";
import type { Figure } from "../document.ts";
import type { FlipNumbers } from "../flips-table.ts";
import { plural } from "../numerals.ts";
import { pairName } from "../pairs.ts";
import { figureOf, width } from "./frame.ts";

type Flip = FlipNumbers["won"][number];

/** Instances that a group shows; the table has all. Our choice. */
const mostShown = 20;
const lineHeight = 17;
const square = { size: 10, step: 13 };

/** The clearest flips, a square a run, filled where it resolved the instance; null: nothing flipped. */
export function flipsFigure({ pair, won, lost }: FlipNumbers): Figure | null {
  if (won.length + lost.length === 0) return null;
  const columns = columnsFor([...won, ...lost]);
  const groups = [
    { kind: "won", flips: won },
    { kind: "lost", flips: lost },
  ].filter(({ flips }) => flips.length > 0);
  let y = 16;
  const body: Html[] = [headHtml(pair, columns)];
  for (const { kind, flips } of groups) {
    body.push(
      html`<text class="group ${kind}" x="0" y="${y + 12}">${groupText(kind, flips.length)}</text>`,
    );
    y += lineHeight + 4;
    for (const flip of flips.slice(0, mostShown)) {
      body.push(lineHtml(flip, y, columns));
      y += lineHeight;
    }
    y += 6;
  }
  const about = {
    id: "figure-flips",
    title: `Instances won and lost, ${pairName(pair)}`,
    description: `${plural(won.length, "instance")} resolved in more runs, ${lost.length} in fewer; the table lists all.`,
    height: y,
  };
  return figureOf(about, [html`<g class="flips">${body}</g>`]);
}

function groupText(kind: string, n: number): string {
  const sign = kind === "won" ? "▲" : "▼";
  return n > mostShown ? `${sign} ${n} ${kind}, the clearest ${mostShown}` : `${sign} ${n} ${kind}`;
}

interface Columns {
  readonly baseline: number;
  readonly treatment: number;
}

function columnsFor(flips: readonly Flip[]): Columns {
  const widest = (side: "baseline" | "treatment") =>
    Math.max(...flips.map((flip) => flip[side].n)) * square.step;
  // Wide enough for the arm's name above it.
  const treatment = width - Math.max(widest("treatment"), 64);
  return { treatment, baseline: treatment - Math.max(widest("baseline"), 64) - 6 };
}

function headHtml({ baseline, treatment }: FlipNumbers["pair"], columns: Columns): Html {
  return html`<text class="head" x="${columns.baseline}" y="12">${cut(baseline)}</text><text class="head" x="${columns.treatment}" y="12">${cut(treatment)}</text>`;
}

const cut = (name: string) => (name.length > 11 ? `${name.slice(0, 10)}…` : name);

function lineHtml({ instance, baseline, treatment }: Flip, y: number, columns: Columns): Html {
  return html`<text class="instance" x="0" y="${y + 10}">${instance}</text>${squaresHtml(baseline, columns.baseline, y)}${squaresHtml(treatment, columns.treatment, y)}`;
}

function squaresHtml({ k, n }: Flip["baseline"], x: number, y: number): Html {
  return html`${Array.from(
    { length: n },
    (_, at) =>
      html`<rect class="${at < k ? "yes" : "no"}" x="${x + at * square.step + 0.5}" y="${y + 0.5}" width="${square.size}" height="${square.size}" rx="2"/>`,
  )}`;
}
