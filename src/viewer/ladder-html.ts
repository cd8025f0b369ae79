import { type Html, html } from "../domain/html.ts";
import { type LadderItem, statusAt } from "./ladder.ts";

/** What the page says of an item's status; the script uses the same words. */
const words: Readonly<Record<ReturnType<typeof statusAt>, string>> = {
  open: "open",
  unknown: "not yet opened",
  opened: "open",
  reopened: "open",
  done: "done",
  skipped: "skipped",
  failed: "failed",
};

/** The plan's sub-tasks, recoveries below what failed, as they stand after `step`. */
export function ladderHtml(
  ladder: readonly LadderItem[],
  step: number,
  active: string | null,
): Html {
  return html`<section class="ladder" id="ladder"><h3>Plan</h3>${
    ladder.length === 0
      ? html`<p class="quiet">There is no planner.</p>`
      : html`<ol>${ladder.map((item) => itemHtml(item, step, active))}</ol>`
  }</section>`;
}

function itemHtml(item: LadderItem, step: number, active: string | null): Html {
  const { id, title, phase, depth, changes, recovery } = item;
  const status = statusAt(item, step);
  const history = changes.map(({ step: at, change }) => `${at}:${change}`).join(" ");
  const current = id === active && html` aria-current="step"`;
  const begins = recovery === null ? "open" : "unknown";
  const last = changes.findLast((change) => change.step <= step);
  return html`<li class="depth-${Math.min(depth, 3)}" data-item="${id}" data-status="${status}" data-begins="${begins}" data-changes="${history}"${current}><span class="title">${title}</span>
<span class="quiet"><span class="phase ${phase}">${phase}</span> <span class="how">${words[status]}</span>${changes.map(
    (change) => changeHtml(change, change === last),
  )}</span></li>`;
}

/** Why an item failed or was skipped is worth reading; the other reasons wait in the title. */
function changeHtml(
  { step, change, reason }: LadderItem["changes"][number],
  isShown: boolean,
): Html {
  const told = change === "failed" || change === "skipped";
  return html`<span class="change" data-at="${step}"${!isShown && html` hidden`}> at <a href="#step-${step}" title="${reason}">step ${step}</a>${told && `: ${reason}`}</span>`;
}
