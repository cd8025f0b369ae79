import { Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { parseSize } from "../../eval/experiment/size.ts";
import { addExamples } from "../help-examples.ts";
import type { Io } from "../io.ts";
import { positive, whole } from "../run-command.ts";
import { gradeOf } from "./grade-command.ts";
import { reportOf } from "./report-command.ts";

function size(text: string): number {
  const bytes = parseSize(text);
  if (bytes !== null) return bytes;
  throw new InvalidArgumentError("Expected a size such as 60 GB.");
}

const storeOption = () =>
  new Option("--store <url>", "a PostgreSQL database that workers on any host share: postgres://…");

/** `eval run`: what it takes. */
const runCommandLine = () =>
  new Command("run")
    .description(
      "Run an experiment, or go on with it: tells what it may cost, keeps its caps, and can be killed and started again at any time.",
    )
    .argument("<experiment>", "its file, or the name of one of pmcoder's own, such as smoke")
    .requiredOption("--output <dir>", "where its results go, and stand already when it goes on")
    .option("--arms <list>", "only these arms, such as full,baseline")
    .option("--seeds <list>", "only these seeds, such as 1-2")
    .option("--slice <from:to>", "only these instances by their place, such as 0:50")
    .option("--filter <regex>", "only instances whose id matches; --slice counts among them")
    .option(
      "--workers <n>",
      "runs at once here; 0 only collects (default: the experiment's)",
      whole,
    )
    .option("--model <provider:name>", "another model than the experiment's")
    .option("--base-url <url>", "a server that speaks the provider's protocol")
    .addOption(
      new Option("--environment <kind>", "another one than the experiment's").choices([
        "docker",
        "bubblewrap",
        "local",
      ] as const),
    )
    .option("--image-cache <size>", "images may stay up to this size, such as 60 GB", size)
    .option("--allow-unknown-cost", "go on although the model's price is not known")
    .addOption(storeOption())
    .option("--lease <seconds>", "a worker that is silent for so long is dead (60)", positive)
    .option("--yes", "do not ask")
    .option("--json", "what happens on standard output, one JSON object a line");

/** `eval status`: what it takes. */
const statusCommandLine = () =>
  new Command("status")
    .description("Say how far an experiment is.")
    .argument("<dir>", "its output folder")
    .addOption(storeOption())
    .option("--json", "one JSON object on standard output");

/** `eval worker`: what it takes. */
const workerCommandLine = () =>
  new Command("worker")
    .description(
      "Do jobs of experiments in a PostgreSQL store, on any host that has what they need: Docker and keys. Ends at a signal, once what runs has ended; a second signal ends that too.",
    )
    .addOption(storeOption().makeOptionMandatory())
    .option("--workers <n>", "runs at once here (default: 1)", whole)
    .option("--output <dir>", "where runs leave their files (default: .pmcoder/eval/<experiment>)")
    .option("--state <dir>", "another folder than .pmcoder (or PMCODER_STATE)")
    .option("--once", "end when no experiment has work left")
    .option("--yes", "run commands without a sandbox too")
    .option("--json", "what happens on standard output, one JSON object a line");

/** `eval fetch verified`: what it takes. */
const fetchVerifiedCommandLine = () =>
  new Command("verified")
    .description("Download SWE-bench Verified once.")
    .option("--json", "one JSON object on standard output");

/** `eval fetch images`: what it takes. */
const fetchImagesCommandLine = () =>
  new Command("images")
    .description("Pull the images of an experiment ahead, in the order in which they are needed.")
    .argument("<experiment>", "its file, or the name of one of pmcoder's own")
    .option("--slice <from:to>", "only these instances by their place, such as 0:50")
    .option("--filter <regex>", "only instances whose id matches; --slice counts among them")
    .option("--image-cache <size>", "stop at this size (default: the experiment's)", size)
    .option("--parallel <n>", "images at once (default: 2)", whole);

export type EvalRunFlags = ReturnType<ReturnType<typeof runCommandLine>["opts"]>;
export type EvalStatusFlags = ReturnType<ReturnType<typeof statusCommandLine>["opts"]>;
export type EvalWorkerFlags = ReturnType<ReturnType<typeof workerCommandLine>["opts"]>;
export type EvalFetchImagesFlags = ReturnType<ReturnType<typeof fetchImagesCommandLine>["opts"]>;

type Done = (code: number) => void;

/** `pmcoder eval`: experiments, from their declaration to their results. */
export function evalOf(io: Io, done: Done) {
  const run = runCommandLine().action(async (file, flags) => {
    const { runEval } = await import("./run.ts");
    done(await runEval(file, flags, io));
  });
  const status = statusCommandLine().action(async (folder, flags) => {
    const { showStatus } = await import("./status.ts");
    done(await showStatus(folder, flags, io));
  });
  const worker = workerCommandLine().action(async (flags) => {
    const { workForAll } = await import("./worker.ts");
    done(await workForAll(flags, io));
  });
  const command = new Command("eval")
    .description("Experiments: arms, seeds and instances, run, graded and reported.")
    .addCommand(addExamples(run, [examples.smoke, examples.verified]))
    .addCommand(addExamples(status, [examples.status]))
    .addCommand(gradeOf(io, done))
    .addCommand(reportOf(io, done))
    .addCommand(addExamples(worker, [examples.worker]))
    .addCommand(fetchOf(io, done));
  return addExamples(command, Object.values(examples));
}

function fetchOf(io: Io, done: Done) {
  const verified = fetchVerifiedCommandLine().action(async (flags) => {
    const { fetchDataset } = await import("./fetch.ts");
    done(await fetchDataset(flags, io));
  });
  const images = fetchImagesCommandLine().action(async (file, flags) => {
    const { fetchImages } = await import("./fetch.ts");
    done(await fetchImages(file, flags, io));
  });
  const command = new Command("fetch")
    .description("Get what an experiment needs while there is a network.")
    .addCommand(addExamples(verified, [examples.fetch]))
    .addCommand(addExamples(images, [examples.images]));
  return addExamples(command, [examples.fetch, examples.images]);
}

const examples = {
  smoke: {
    line: "pmcoder eval run smoke --output smoke --yes",
    does: "the whole way in a minute: no key, no Docker",
  },
  verified: {
    line: "pmcoder eval run verified-500 --output verified --slice 0:50",
    does: "the first fifty instances of SWE-bench Verified; the same command goes on",
  },
  status: { line: "pmcoder eval status verified", does: "what is done, resolved and spent" },
  worker: {
    line: "pmcoder eval worker --store postgres://USER@HOST/DATABASE --workers 8",
    does: "help with whatever was started with eval run --store",
  },
  fetch: { line: "pmcoder eval fetch verified", does: "the rows of SWE-bench Verified" },
  images: {
    line: "pmcoder eval fetch images verified-500 --slice 0:50",
    does: "so that no run waits for its image",
  },
};
