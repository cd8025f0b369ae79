import { readFileSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { PmcoderError } from "../domain/errors.ts";
import type { Env } from "./env.ts";
import { type Setting, settingsOfText, settingsOfYaml } from "./settings.ts";

/** The user's own configuration file, or null when the environment names no home folder. */
export function userConfigPath({ XDG_CONFIG_HOME, HOME }: Env): string | null {
  const file = join("pmcoder", "config.yaml");
  if (XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME)) return join(XDG_CONFIG_HOME, file);
  return HOME ? join(HOME, ".config", file) : null;
}

/** The text of the user's file; null when there is none. */
export function readUserConfig(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw unreadable(path, cause);
  }
}

/** What one `-c` says: `key=value`, or a YAML file, its path relative to `cwd`. */
export function settingsOfArgument(argument: string, cwd: string): readonly Setting[] {
  const pair = /^([A-Za-z][\w.]*)=(.*)$/s.exec(argument);
  if (pair) return settingsOfText(pair[1] ?? "", pair[2] ?? "", "-c");
  return settingsOfYaml(readGiven(resolve(cwd, argument), argument), argument);
}

export interface ConfigInputs {
  readonly env: Env;
  readonly cwd: string;
  /** The `-c` arguments in the order given. */
  readonly arguments: readonly string[];
  /** What other flags say; they win over everything. */
  readonly flags: readonly Setting[];
}

/** Every setting in order of precedence, the last the strongest: user's file, `-c`, flags. */
export function gatherSettings(inputs: ConfigInputs): readonly Setting[] {
  const path = userConfigPath(inputs.env);
  const own = path === null ? null : readUserConfig(path);
  return [
    ...(path === null || own === null ? [] : settingsOfYaml(own, path)),
    ...inputs.arguments.flatMap((argument) => settingsOfArgument(argument, inputs.cwd)),
    ...inputs.flags,
  ];
}

function readGiven(path: string, argument: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (!isMissing(cause)) throw unreadable(argument, cause);
    const hint = "Give a YAML file, or a setting such as agent.stepLimit=50.";
    throw new PmcoderError("usage", `-c ${argument}: there is no such file. ${hint}`, { cause });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function unreadable(path: string, cause: unknown): PmcoderError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new PmcoderError("usage", `The configuration ${path} cannot be read: ${reason}`, {
    cause,
  });
}
