import { describe, expect, it } from "vitest";
import { namedLikeSecret, secretsOf } from "../../src/domain/secrets.ts";

describe("a name", () => {
  it.each([
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY_2",
    "OPENAIKEY",
    "AWS_ACCESS_KEY_ID",
    "AWS_PROFILE",
    "SECRET_KEY_BASE",
    "GH_TOKEN",
    "CI_JOB_TOKEN_FILE",
    "github_token",
    "CLIENT_SECRET",
    "DB_PASSWORD",
    "PGPASSWORD",
    "MYSQL_PWD_PASS",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "VAULT_CREDENTIAL",
    "SSH_AUTH_SOCK",
    "BASIC_AUTHORIZATION",
    "STRIPE_API_URL",
    "GITHUB_PAT",
    "SSH_ASKPASS",
  ])("%s is like a secret's", (name) => {
    expect(namedLikeSecret(name)).toBe(true);
  });

  it.each([
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "SSH_TTY",
    "TOKENIZERS_PARALLELISM",
    "KEYMAP",
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "BASH_ENV",
    "APIARY",
    "PASSTHROUGH",
  ])("%s is not", (name) => {
    expect(namedLikeSecret(name)).toBe(false);
  });
});

describe("secretsOf", () => {
  it.each([
    ["OPENAI_API_KEY", "k3y-of-mine"],
    ["GH_TOKEN", "ordinary words"],
    ["DB_PASSWORD", "hunter2hunter2"],
    ["SESSION_COOKIE", "abcdefgh"],
    ["BASIC_AUTH", "me:my-password"],
    ["OAUTH2_CONFIG", "a1b2c3d4e5f6a7b8"],
  ])("counts %s=%s", (name, value) => {
    expect(secretsOf({ [name]: value })).toEqual([{ name, value }]);
    expect(secretsOf({ [name]: ` ${value}\n` })).toEqual([{ name, value }]);
  });

  it.each([
    ["A_KEY", "seven77"],
    ["A_KEY", "1234567890"],
    ["A_KEY", "192.168.100.1"],
    ["A_KEY", "xxxxxxxxxxxx"],
    ["USE_AUTH", "Required"],
    ["A_TOKEN", "true"],
    ["A_TOKEN", "localhost"],
    ["PGPASSWORD", "postgres"],
    ["AWS_REGION", "eu-central-1"],
    ["AWS_ROLE", "arn:aws:iam::123456789012:role/builder"],
    ["GIT_AUTHOR_NAME", "Jane Q. Public"],
    ["XAUTHORITY", "/home/me/.Xauthority"],
    ["STRIPE_API_URL", "https://api.example/v1"],
    ["PATH", "/usr/local/bin:/usr/bin"],
    ["A_KEY", undefined],
  ])("does not count %s=%s", (name, value) => {
    expect(secretsOf({ [name]: value })).toEqual([]);
  });

  it("takes the password out of an address, whatever its variable is called", () => {
    const variables = {
      DATABASE_URL: "postgres://me:s3cret-pass@host/db",
      REMOTE: "ssh://git@h/r",
    };
    expect(secretsOf(variables)).toEqual([{ name: "DATABASE_URL", value: "s3cret-pass" }]);
  });
});
