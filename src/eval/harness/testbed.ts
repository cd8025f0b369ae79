import type { Environment } from "../../domain/environment.ts";
import type { DatasetRow } from "../dataset-row.ts";

/** Where an instance's tests can be run. */
export interface Testbed {
  /**
   * Stands for all that it brings: equal names are equal places. Rejects with PmcoderError
   * `image_missing` or `environment_lost` when there is no such place.
   */
  name(signal: AbortSignal): Promise<string>;
  /** Opens it with the instance's base in it, untouched. Whoever opens it closes it. */
  open(signal: AbortSignal): Promise<Environment>;
}

/** `repository`: absolute path of the folder with the row's own repository; null: its image has it. */
export type TestbedOf = (row: DatasetRow, repository: string | null) => Testbed;
