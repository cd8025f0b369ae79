export type Variables = Readonly<Record<string, string | undefined>>;

/** Words of a name, between underscores, that tell a secret wherever they stand. */
const SECRET_WORDS =
  /^(?:KEYS?|TOKENS?|SECRETS?|PASS|PASSWORDS?|PASSWD|PASSPHRASE|PAT|CREDENTIALS?|API|COOKIES?)$/;
/** Ends of a name that tell a secret without an underscore before them: PGPASSWORD, APIKEY. */
const SECRET_END = /(?:KEYS?|TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|PASS|CREDENTIALS?)$/;
const SECRET_ANYWHERE = /AUTH|^AWS_|^AZURE_/;
/** A value such as https://user:password@host, whatever its name. */
const SECRET_VALUE = /:\/\/[^/@\s:]*:[^/@\s]+@/;

/**
 * Names that steer a program of the caller and would mislead the same program under a command:
 * Node's channel to its parent, npm's settings, a git hook's repository, options of this shell.
 */
const CALLERS_OWN =
  /^(?:NODE_OPTIONS|NODE_CHANNEL_.*|NODE_UNIQUE_ID|NODE_V8_COVERAGE|npm_.*|GIT_.*|PMCODER_.*|SHELLOPTS|BASHOPTS|OLDPWD|PWD)$/i;

export function namedLikeSecret(name: string): boolean {
  const upper = name.toUpperCase();
  return (
    SECRET_ANYWHERE.test(upper) ||
    SECRET_END.test(upper) ||
    upper.split("_").some((word) => SECRET_WORDS.test(word))
  );
}

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
      !SECRET_VALUE.test(value),
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
