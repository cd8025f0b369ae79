/** A value that must not be shown, and the variable it came from. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** Words of a name, between underscores, that tell a secret wherever they stand. */
const secretWords =
  /^(?:KEYS?|TOKENS?|SECRETS?|PASS|PASSWORDS?|PASSWD|PASSPHRASE|PAT|CREDENTIALS?|COOKIES?|AUTH)$/;
/** Ends of a name that tell a secret without an underscore before them: PGPASSWORD, APIKEY. */
const secretEnd = /(?:KEYS?|TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|PASS|CREDENTIALS?)$/;
/** Names that go with secrets, but as well with a region, a profile, an author or an address. */
const besideSecrets = /AUTH|^AWS_|^AZURE_|(?:^|_)API(?:_|$)/;
/** The password in an address such as https://user:password@host. */
const addressPassword = /:\/\/[^/@\s:]*:([^/@\s]+)@/;

function promisesSecret(name: string): boolean {
  const upper = name.toUpperCase();
  return secretEnd.test(upper) || upper.split("_").some((word) => secretWords.test(word));
}

/** Whether a variable's name says that its value may be secret. */
export function namedLikeSecret(name: string): boolean {
  return promisesSecret(name) || besideSecrets.test(name.toUpperCase());
}

/** The password in an address that a value holds, or null. */
export function passwordIn(value: string): string | null {
  return addressPassword.exec(value)?.[1] ?? null;
}

/** Settings and stand-ins, which would garble every text if they counted as secrets. */
const ordinary =
  /^(?:[\d.]+|(.)\1*|localhost|disabled|required|optional|undefined|anonymous|changeme|password|postgres|redacted)$/i;

function isTrivial(value: string): boolean {
  return value.length < 8 || ordinary.test(value);
}

function looksRandom(value: string): boolean {
  return /^[\w.+=~-]{16,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);
}

function secretIn(name: string, value: string): string | null {
  if (promisesSecret(name)) return value;
  if (namedLikeSecret(name) && looksRandom(value)) return value;
  return passwordIn(value);
}

/**
 * The secrets that these variables hold. Our choice: a value of fewer than 8 characters, of digits
 * alone, or such as `localhost` is none; under a name that only goes with secrets (AWS_REGION) it
 * must look random.
 */
export function secretsOf(
  variables: Readonly<Record<string, string | undefined>>,
): readonly Secret[] {
  return Object.entries(variables).flatMap(([name, given]) => {
    const value = secretIn(name, given?.trim() ?? "");
    return value === null || isTrivial(value) ? [] : [{ name, value }];
  });
}
