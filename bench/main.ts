import { dockerContainers } from "./docker-containers.ts";
import { dockerStep } from "./docker-step.ts";
import { episodes200 } from "./episodes-200.ts";
import { gradeLogs } from "./grade-logs.ts";
import { hook } from "./hook.ts";
import { journalBytes } from "./journal-bytes.ts";
import { localStep } from "./local-step.ts";
import { observeSpeed } from "./observe.ts";
import { prefix } from "./prefix.ts";
import { queueOverhead } from "./queue.ts";
import { recallSpeed } from "./recall.ts";
import { repomemBuild } from "./repomem-build.ts";
import { reportSpeed } from "./report.ts";
import { searchNodes } from "./search-nodes.ts";
import { sidecar } from "./sidecar.ts";
import { startup } from "./startup.ts";
import { viewLong } from "./view-long.ts";

const benchmarks = {
  startup,
  localStep,
  dockerStep,
  dockerContainers,
  observeSpeed,
  episodes200,
  journalBytes,
  prefix,
  queueOverhead,
  gradeLogs,
  reportSpeed,
  recallSpeed,
  repomemBuild,
  viewLong,
  hook,
  sidecar,
  searchNodes,
};

// All of them, or those that are named: `npm run bench -- dockerStep`. One JSON object a figure, as
// soon as it is measured.
const wanted = process.argv.slice(2);
for (const [name, benchmark] of Object.entries(benchmarks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const figure of await benchmark()) process.stdout.write(`${JSON.stringify(figure)}\n`);
}
