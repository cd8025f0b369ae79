import { describe, expect, it } from "vitest";
import { childVariables } from "../../src/environments/child-variables.ts";

describe("the variables of a command", () => {
  const git = {
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "safe.directory",
    GIT_CONFIG_VALUE_0: "*",
  };

  it("leave out what steers the caller's own programs", () => {
    const caller = {
      NODE_OPTIONS: "--inspect",
      NODE_CHANNEL_FD: "3",
      npm_config_registry: "https://registry.example",
      GIT_DIR: "/elsewhere/.git",
      GIT_CONFIG_COUNT: "7",
      PMCODER_STATE: "/s",
      OLDPWD: "/o",
      NODE_ENV: "test",
      BASH_ENV: "/etc/conda.sh",
    };
    expect(childVariables(caller, {})).toEqual({
      NODE_ENV: "test",
      BASH_ENV: "/etc/conda.sh",
      ...git,
    });
  });

  it("leave out addresses that hold a password, whatever their name", () => {
    const caller = {
      DATABASE_URL: "postgres://me:pw@host/db",
      HTTPS_PROXY: "http://proxy.example:3128",
      GIT_REMOTE: "ssh://git@host/repo",
      REMOTE: "ssh://git@host:22/repo",
    };
    expect(Object.keys(childVariables(caller, {}))).toEqual([
      "HTTPS_PROXY",
      "REMOTE",
      ...Object.keys(git),
    ]);
  });

  it("end with the configured ones, even if they look like secrets", () => {
    const configured = { GIT_TERMINAL_PROMPT: "1", MY_TOKEN: "t", PATH: "/bin" };
    expect(childVariables({ PATH: "/usr/bin", UNSET: undefined }, configured)).toEqual({
      ...git,
      ...configured,
    });
  });
});
