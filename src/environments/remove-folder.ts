import { dirname } from "node:path";
import { PmcoderError } from "../domain/errors.ts";
import { runHost } from "./host-command.ts";

/**
 * Removes a folder with everything in it, read-only folders and names of any bytes included; none
 * is well too. Throws PmcoderError `storage` when something stays.
 */
export async function removeFolder(folder: string): Promise<void> {
  const options = { cwd: "/" };
  if ((await runHost(["rm", "-rf", "--", folder], options)).exitCode === 0) return;
  await runHost(["chmod", "-R", "u+rwx", "--", folder], options);
  const { exitCode, stderr } = await runHost(["rm", "-rf", "--", folder], options);
  if (exitCode === 0) return;
  throw new PmcoderError(
    "storage",
    `The copy in ${folder} could not be removed; remove it by hand from ${dirname(folder)}: ${stderr.trim().slice(0, 500)}`,
  );
}
