import { PmcoderError } from "../domain/errors.ts";
import { type HostCommand, type HostResult, runHost } from "./host-command.ts";

/**
 * Runs git on this machine, with the user's settings but no lock taken for mere looking. Its exit
 * status is an answer. Throws PmcoderError `usage` when git is not installed.
 */
export async function hostGit(args: readonly string[], options: HostCommand): Promise<HostResult> {
  const result = await runHost(["GIT_OPTIONAL_LOCKS=0", "git", ...args], options);
  if (result.exitCode !== 127) return result;
  throw new PmcoderError("usage", "git was not found on PATH: install it and try again.");
}

/** The output of a git command that must succeed, without the newline at its end. */
export async function gitText(args: readonly string[], cwd: string): Promise<string> {
  const { exitCode, stdout, stderr } = await hostGit(args, { cwd });
  if (exitCode === 0) return stdout.toString("utf8").replace(/\n$/, "");
  throw new PmcoderError(
    "internal",
    `git ${args.join(" ")} in ${cwd} ended with status ${exitCode}: ${stderr.trim()}`,
  );
}
