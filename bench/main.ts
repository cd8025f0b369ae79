import { dockerStep } from "./docker-step.ts";
import { episodes200 } from "./episodes-200.ts";
import { gradeLogs } from "./grade-logs.ts";
import { journalBytes } from "./journal-bytes.ts";
import { localStep } from "./local-step.ts";
import { observeSpeed } from "./observe.ts";
import { prefix } from "./prefix.ts";
import { queueOverhead } from "./queue.ts";
import { startup } from "./startup.ts";

// One JSON object a figure, as soon as it is measured.
for (const benchmark of [
  startup,
  localStep,
  dockerStep,
  observeSpeed,
  episodes200,
  journalBytes,
  prefix,
  queueOverhead,
  gradeLogs,
]) {
  for (const figure of await benchmark()) process.stdout.write(`${JSON.stringify(figure)}\n`);
}
