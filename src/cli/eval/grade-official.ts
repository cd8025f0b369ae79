import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PmcoderError } from "../../domain/errors.ts";
import { removeFolder } from "../../environments/remove-folder.ts";
import type { Generation } from "../../eval/grading/log-parsers.ts";
import { predictionsText } from "../../eval/grading/predictions.ts";
import { fileNames } from "../../eval/harness/layout.ts";
import { adoptOfficial, officialRows } from "../../eval/harness/official.ts";
import { standingRecord } from "../../eval/harness/stored-run.ts";
import { writeWhole } from "../../store/files.ts";
import type { Io } from "../io.ts";
import { type GradedItem, type GradeParts, restore } from "./grade-models.ts";
import type { GradedModel } from "./grade-source.ts";

/** The official package where it is installed. */
export interface Official {
  readonly python: string;
  /** `swebench 5.0.2`. */
  readonly name: string;
  readonly generation: Generation;
}

/**
 * The Python that was named, else that of PMCODER_PEERS, else the one on PATH. Rejects with
 * PmcoderError `usage` when it has no `swebench`.
 */
export async function findOfficial(named: string | undefined, { env }: Io): Promise<Official> {
  const peers = env["PMCODER_PEERS"];
  const python = named ?? (peers ? join(peers, "bin", "python") : "python3");
  try {
    const program = "import swebench; print(swebench.__version__)";
    const { stdout } = await promisify(execFile)(python, ["-c", program], { env: { ...env } });
    const version = stdout.trim().split("\n").at(-1) ?? "";
    const generation = version.startsWith("4.") ? "v4" : "v5";
    return { python, name: `swebench ${version}`, generation };
  } catch (cause) {
    throw new PmcoderError(
      "usage",
      `${python} has no swebench, which --harness official calls. Install it: python3 -m venv VENV && VENV/bin/pip install swebench, and name it: --python VENV/bin/python.`,
      { cause },
    );
  }
}

interface OfficialParts extends Pick<GradeParts, "source" | "workers" | "signal" | "tell"> {
  readonly official: Official;
  readonly io: Io;
}

/** Has the official harness grade what it has not graded yet, and takes over what it reports. */
export async function gradeOfficially(
  items: readonly GradedItem[],
  parts: OfficialParts,
): Promise<void> {
  const { official, source, tell } = parts;
  const { name: grader, generation } = official;
  const left = restore(
    items,
    ({ folder, patch }) => {
      const record = standingRecord(folder, { patch, script: null, generation });
      return record?.grader === grader ? record : null;
    },
    tell,
  );
  // It would return an old report for a new patch.
  for (const { folder } of left) await removeFolder(folder);
  for (const model of source.models) {
    const own = left.filter((item) => item.model === model);
    if (own.length === 0) continue;
    const began = performance.now();
    await runHarness(model, own, parts);
    const seconds = (performance.now() - began) / 1000 / own.length;
    for (const item of own) {
      const adopt = { grader, generation, write: writeWhole };
      const grading = adoptOfficial(item.instance, item.folder, adopt) ?? {
        resolved: null,
        remark: `swebench came to no verdict; ${whereToLook(item)}`,
      };
      tell({ item, grading: { ...grading, seconds }, isNew: true });
    }
  }
}

function whereToLook({ folder }: GradedItem): string {
  const file = join(folder, fileNames.account);
  return existsSync(file) ? `see ${file}` : "it ended before it came to this instance";
}

async function runHarness(
  { runId }: GradedModel,
  items: readonly GradedItem[],
  { source, official, workers, signal, io }: OfficialParts,
): Promise<void> {
  await mkdir(source.folder, { recursive: true });
  const inputs = await mkdtemp(join(tmpdir(), "pmcoder-official-"));
  try {
    const [rows, predictions] = [join(inputs, "rows.jsonl"), join(inputs, "preds.json")];
    writeWhole(rows, officialRows(items.map(({ row }) => row)));
    writeWhole(predictions, predictionsText(items.map(predictionOf)));
    const args = ["-m", "swebench.harness.run_evaluation"];
    args.push("--dataset_name", rows, "--predictions_path", predictions, "--run_id", runId);
    args.push("--max_workers", String(workers), "--timeout", String(Math.ceil(source.timeoutSec)));
    args.push("--report_dir", inputs);
    await spawnTelling(official.python, args, { cwd: source.folder, signal, io });
  } finally {
    await rm(inputs, { recursive: true, force: true });
  }
}

const predictionOf = ({ instance, model, patch }: GradedItem) => ({
  instance_id: instance,
  model_name_or_path: model.model,
  model_patch: patch,
});

interface Around {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly io: Io;
}

/** What it prints is for people. Its exit status says nothing of single instances. */
async function spawnTelling(
  program: string,
  args: readonly string[],
  { cwd, signal, io }: Around,
): Promise<void> {
  const child = spawn(program, args, {
    cwd,
    env: { ...io.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = () => void child.kill("SIGTERM");
  signal.addEventListener("abort", stop);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => void io.stderr.write(chunk));
  }
  try {
    await new Promise<void>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", () => resolve());
    });
  } finally {
    signal.removeEventListener("abort", stop);
  }
  signal.throwIfAborted();
}
