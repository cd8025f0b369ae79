import { describe, expect, it } from "vitest";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import type { Journal } from "../../src/domain/journal.ts";
import { openJournal } from "../../src/store/sqlite.ts";
import { journalLibrary } from "../../src/viewer/library.ts";
import {
  beginEvent,
  call,
  observed,
  promptEvent,
  reply,
} from "../trajectories/recorded-episode.ts";
import { enter, openPage } from "./browser.ts";
import { hasChromium } from "./chromium.ts";
import { fullConfig } from "./recordings.ts";
import { served } from "./served.ts";

const run = "20261130-142501-ab12";

/** What a loop with plan and memory appends for one turn, up to the command and after it. */
function turn(step: number, command: string, output: string): readonly (readonly EpisodeEvent[])[] {
  const id = `c${step}`;
  const advice: EpisodeEvent = {
    type: "advice",
    step,
    callId: id,
    block: step === 1 ? "[PLANMEM]\nphase=explore\n[/PLANMEM]" : null,
    hint: null,
    phase: "explore",
    policyPhase: "explore",
    subTask: null,
    done: 0,
    total: 4,
    backtrack: false,
    stuck: null,
    retrieved: [],
  };
  return [
    [
      reply(step, `Turn ${step}.`, [call(id, command)]),
      { type: "command", step, callId: id, command },
    ],
    [observed(step, id, output), advice],
  ];
}

const patchEvent: EpisodeEvent = {
  type: "patch",
  source: "extraction",
  bytes: 88,
  files: ["area.py"],
  leftOut: [],
  applies: true,
};
const endEvent: EpisodeEvent = {
  type: "end",
  status: "submitted",
  reason: "submitted at step 2",
  seconds: 9,
};

/** A journal in memory with a run that has begun, and a viewer over it. */
async function begunRun() {
  const journal: Journal = openJournal(":memory:", { now: Date.now });
  await journal.append(run, [beginEvent(run), promptEvent]);
  const viewer = await served(journalLibrary(journal, fullConfig));
  return { viewer, append: (events: readonly EpisodeEvent[]) => journal.append(run, events) };
}

describe.runIf(hasChromium)("a run that is under way", () => {
  it("grows on the page as it happens, and is followed to its end", async () => {
    const { viewer, append } = await begunRun();
    const { page, faults } = await openPage();
    await enter(page, viewer.urlOf(`/episode/${run}`));
    await page.getByText("Live: the model thinks").waitFor();

    const [asked = [], done = []] = turn(1, "cat area.py", "side = 2\n");
    await append(asked);
    await page.locator("#step-1").getByText("it runs").waitFor();
    await page.getByText("Live: a command runs").waitFor();
    expect(await page.locator("#marks-1 .phase").count()).toBe(0);

    await append(done);
    await page.locator("#step-1 .output").getByText("side = 2").waitFor();
    await page.locator("#marks-1 .phase").getByText("explore").waitFor();
    await page.locator("#step-1").getByText("Shown to the model").waitFor();

    // Who stands at the newest step is taken along.
    await page.keyboard.press("j");
    for (const events of turn(2, "sed -i s/2/3/ area.py", "")) await append(events);
    await page.locator("#step-2.current").waitFor();
    expect(await page.locator("#of").textContent()).toBe("2");
    await page.locator("#moments").getByText("First edit of source").waitFor();

    await append([patchEvent, endEvent]);
    await page.locator("h1 .status").getByText("submitted").waitFor();
    await page.getByText("Live:").waitFor({ state: "detached" });
    expect(faults).toEqual([]);
  });

  it("does not take along who reads an earlier step, and keeps open what was opened", async () => {
    const { viewer, append } = await begunRun();
    const long = Array.from({ length: 40 }, (_, n) => `line ${n}`).join("\n");
    for (const events of [...turn(1, "cat area.py", long), ...turn(2, "ls", "")])
      await append(events);
    const { page } = await openPage();
    await enter(page, viewer.urlOf(`/episode/${run}`));
    await page.keyboard.press("j");
    await page.locator("#step-1 details.fold summary").click();
    for (const events of turn(3, "true", "")) await append(events);
    await page.locator("#step-3").waitFor({ state: "attached" });
    expect(await page.locator(".stop.current").getAttribute("data-step")).toBe("1");
    expect(await page.locator("#step-1 details.fold").getAttribute("open")).not.toBeNull();
  });

  it("tells a page that the server does not know that it is gone", async () => {
    const { viewer, append } = await begunRun();
    const { page } = await openPage();
    await enter(page, viewer.urlOf(`/episode/${run}`));
    for (const events of turn(1, "ls", "")) await append(events);
    await page.locator("#step-1").waitFor();
    const stream = `/episode/${run}/stream?page=0123456789abcdef`;
    const told = await page.evaluate(`fetch("${stream}").then((answer) => answer.text())`);
    expect(told).toBe("event: gone\ndata: \n\n");
  });
});
