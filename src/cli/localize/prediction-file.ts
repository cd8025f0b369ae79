import { z } from "zod";
import { PmcoderError } from "../../domain/errors.ts";
import { differences } from "../../eval/experiment/declaration.ts";
import { appendRecord, readRecords } from "../../store/record-file.ts";

const format = "pmcoder-localize-1";

const Header = z.object({ format: z.literal(format), settings: z.unknown() });

const spent = {
  calls: z.number(),
  cost: z.number().nullable(),
  tokens: z.object({ input: z.number(), cached: z.number(), output: z.number() }),
};
const Prediction = z.object({
  instance_id: z.string(),
  gold: z.array(z.string()),
  predicted: z.array(z.string()),
  ...spent,
});
/** An instance whose place was looked for. */
type Prediction = Readonly<z.infer<typeof Prediction>>;

const Failure = z.object({ instance_id: z.string(), failed: z.string(), ...spent });
type Failure = Readonly<z.infer<typeof Failure>>;

/** What several starts of a benchmark have found and spent. */
export interface Predictions {
  readonly finished: ReadonlyMap<string, Prediction>;
  /** US dollars, those of failures included; null: the price is not known. */
  readonly spent: number | null;
  /** Durable once it returns. Throws PmcoderError `storage`. */
  readonly keep: (line: Prediction | Failure) => void;
}

/**
 * Predictions as JSON lines below one that says by which settings they were made. Throws
 * PmcoderError `usage` when the file is another's, or was made by other settings.
 */
export function openPredictionFile(path: string, settings: unknown): Predictions {
  const { records, broken } = readRecords(path);
  const [first, ...lines] = records;
  if (first === undefined && broken.length === 0) appendRecord(path, { format, settings });
  else refuseOther(path, first, settings);
  const kept = inMemory();
  for (const line of lines) {
    const prediction = Prediction.safeParse(line);
    const failure = Failure.safeParse(line);
    if (prediction.success) kept.keep(prediction.data);
    else if (failure.success) kept.keep(failure.data);
  }
  return keptAt(path, kept);
}

function keptAt(path: string, kept: Predictions): Predictions {
  return {
    finished: kept.finished,
    get spent() {
      return kept.spent;
    },
    keep: (line) => {
      appendRecord(path, line);
      kept.keep(line);
    },
  };
}

/** Predictions that are gone when the process ends. */
export function inMemory(): Predictions {
  const finished = new Map<string, Prediction>();
  let total: number | null = 0;
  return {
    finished,
    get spent() {
      return total;
    },
    keep: (line) => {
      total = total === null || line.cost === null ? null : total + line.cost;
      if ("predicted" in line) finished.set(line.instance_id, line);
    },
  };
}

function refuseOther(path: string, first: unknown, settings: unknown): void {
  const header = Header.safeParse(first);
  if (!header.success) {
    throw new PmcoderError(
      "usage",
      `${path} is there and holds no predictions of pmcoder localize. Choose another --output.`,
    );
  }
  const changes = differences(header.data.settings, settings);
  if (changes.length === 0) return;
  throw new PmcoderError(
    "usage",
    `${path} holds predictions that were made otherwise (${changes.join("; ")}). Choose another --output, or go on with the settings of before.`,
  );
}
