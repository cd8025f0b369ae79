import { namedLikeSecret, passwordIn } from "../domain/secrets.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Names that steer a program of the caller and would mislead the same program under a command:
 * Node's channel to its parent, npm's settings, a git hook's repository, options of this shell.
 */
const CALLERS_OWN =
  /^(?:NODE_OPTIONS|NODE_CHANNEL_.*|NODE_UNIQUE_ID|NODE_V8_COVERAGE|npm_.*|GIT_.*|PMCODER_.*|SHELLOPTS|BASHOPTS|OLDPWD|PWD)$/i;

/**
 * The environment of every command: the caller's without secrets, git told to trust any owner of
 * the repository and to ask nothing, and the configured variables on top.
 */
export function childVariables(caller: Variables, configured: Variables): Record<string, string> {
  const kept = Object.entries(caller).filter(
    ([name, value]) =>
      value !== undefined &&
      !namedLikeSecret(name) &&
      !CALLERS_OWN.test(name) &&
      passwordIn(value) === null,
  );
  return Object.fromEntries(
    [
      ...kept,
      ["GIT_TERMINAL_PROMPT", "0"],
      ["GIT_CONFIG_COUNT", "1"],
      ["GIT_CONFIG_KEY_0", "safe.directory"],
      ["GIT_CONFIG_VALUE_0", "*"],
      ...Object.entries(configured),
    ].filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
