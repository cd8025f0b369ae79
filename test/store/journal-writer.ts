import { openJournal } from "../../src/store/sqlite.ts";
import { beginEvent, call, reply } from "../trajectories/recorded-episode.ts";

/**
 * A process of its own that appends to `file` as `run`: `steps` replies, each told on stdout once
 * its append has returned. With 0 it goes on until it is killed.
 */
const [file = "", run = "", steps = "0"] = process.argv.slice(2);
const journal = openJournal(file, { now: () => Date.now() });
await journal.append(run, [beginEvent(run)]);
for (let step = 1; Number(steps) === 0 || step <= Number(steps); step += 1) {
  const command = `echo ${step}; ${"# padding ".repeat(step % 40)}`;
  await journal.append(run, [
    reply(step, `step ${step}`, [call(`c${step}`, command)]),
    { type: "command", step, callId: `c${step}`, command },
  ]);
  process.stdout.write(`${step}\n`);
}
await journal.close();
