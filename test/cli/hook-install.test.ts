import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { differences, fileOf, installed, uninstalled } from "../../src/cli/hook-change.ts";
import { hookOf } from "../../src/cli/hook-command.ts";
import { runCommand } from "./run-command-in.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const program = { node: "/opt/node bin/node", root: "/opt/pmcoder" };
const command = "'/opt/node bin/node' /opt/pmcoder/dist/src/cli/main.js hook qwen-code";
const texts = (before: string | null) =>
  ({ host: "qwen-code", file: "settings.json", before }) as const;
const install = (before: string | null) => installed(texts(before), program, "");

const mine = `{
    "general": { "vimMode": true },
    "hooks": {
        "PostToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "mine" }] }],
        "disabled": ["other"]
    }
}
`;

describe("a settings file", () => {
  it("gets a hook for each event, beside what stands there", () => {
    const { general, hooks } = JSON.parse(install(mine));
    const ours = { hooks: [{ type: "command", command, timeout: 5 }] };
    expect(general).toEqual({ vimMode: true });
    expect(hooks).toEqual({
      PostToolUse: [JSON.parse(mine).hooks.PostToolUse[0], { matcher: "*", ...ours }],
      disabled: ["other"],
      SessionStart: [ours],
      UserPromptSubmit: [ours],
      PostToolUseFailure: [{ matcher: "*", ...ours }],
    });
    expect(install(mine)).toMatch(/^\{\n {4}"general"/);
  });

  it("is the same after a second installation, and holds one hook after one from elsewhere", () => {
    expect(install(install(mine))).toBe(install(mine));
    const moved = installed(texts(install(mine)), { node: "node", root: "/new" }, "");
    expect(moved.match(/ hook qwen-code/g)).toHaveLength(4);
    expect(moved).not.toContain("/opt/pmcoder");
  });

  it("loses our hooks again, and nothing else", () => {
    expect(JSON.parse(uninstalled(texts(install(mine))) ?? "")).toEqual(JSON.parse(mine));
    expect(uninstalled(texts(install(null)))).toBeNull();
    expect(uninstalled(texts(mine))).toBe(mine);
    const other = { host: "claude-code", file: "x", before: install(mine) } as const;
    expect(uninstalled(other)).toBe(install(mine));
  });

  it.each([
    ['{ // mine\n "a": 1 }', /holds comments, which would be lost\. Nothing was changed/],
    ['{ "a": "http://x" /* c */ }', /holds comments/],
    ['{ "a": "http://x", }', /is no JSON: /],
    ["", /is no JSON: /],
    ["[]", /holds no JSON object\. Nothing was changed\./],
    ['{"hooks": []}', /hooks is no object/],
    ['{"hooks": {"PostToolUse": {}}}', /hooks\.PostToolUse is no list/],
  ])("is left alone when it is %j", (text, reason) => {
    expect(() => install(text)).toThrow(reason);
  });
});

describe("a plugin's file", () => {
  it("is not overwritten when it is another's", () => {
    const other = { host: "pi", file: "pmcoder.ts", before: "export default 1;" } as const;
    expect(() => installed(other, program, "x")).toThrow("was not made by pmcoder");
    expect(() => uninstalled(other)).toThrow("was not made by pmcoder");
  });
});

describe("where a host reads", () => {
  const home = "/home/u";
  it.each([
    ["qwen-code", null, {}, "/home/u/.qwen/settings.json"],
    ["qwen-code", null, { QWEN_HOME: "/q" }, "/q/settings.json"],
    ["qwen-code", "/repo", {}, "/repo/.qwen/settings.json"],
    ["claude-code", null, {}, "/home/u/.claude/settings.json"],
    ["claude-code", "/repo", {}, "/repo/.claude/settings.local.json"],
    ["pi", null, {}, "/home/u/.pi/agent/extensions/pmcoder.ts"],
    ["pi", "/repo", {}, "/repo/.pi/extensions/pmcoder.ts"],
    ["opencode", null, {}, "/home/u/.config/opencode/plugin/pmcoder.js"],
    ["opencode", null, { XDG_CONFIG_HOME: "/c" }, "/c/opencode/plugin/pmcoder.js"],
    ["opencode", "/repo", {}, "/repo/.opencode/plugin/pmcoder.js"],
  ] as const)("%s in %s with %j", (host, project, env, file) => {
    expect(fileOf(host, { env, home, project })).toBe(file);
  });
});

it.each([
  ["at the end", "a\nb\nc\nd\n", "a\nb\nc\nd\ne\n", [" b", " c", " d", "+e"]],
  ["in the middle", "a\nb\nc\n", "a\nx\nc\n", [" a", "-b", "+x", " c"]],
  ["of a new file", null, "a\n", ["+a"]],
  ["of a file that goes", "a\nb\n", null, ["-a", "-b"]],
])("a change %s is shown by its lines", (_, before, after, lines) => {
  expect(differences(before, after)).toEqual(lines);
});

describe("pmcoder hook install and uninstall", () => {
  const files = (home: string) =>
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(home.length + 1))
      .sort();

  const modeOf = (file: string) => statSync(file).mode & 0o777;

  it.each([
    ["qwen-code", ".qwen/settings.json"],
    ["claude-code", ".claude/settings.json"],
    ["pi", ".pi/agent/extensions/pmcoder.ts"],
    ["opencode", ".config/opencode/plugin/pmcoder.js"],
  ])("put plan and memory into %s, and leave nothing there", async (host, file) => {
    const home = temporaryFolder();
    const done = await runCommand(hookOf, { home, args: ["install", host, "--yes", "--json"] });
    expect(done.codes).toEqual([0]);
    expect(JSON.parse(done.out)).toEqual({ host, file: join(home, file), done: "installed" });
    expect(done.err).toMatch(/^\/.*\(new\)\n\+/);
    expect(readFileSync(join(home, file), "utf8")).toContain("dist/src/cli/main.js");
    expect(readFileSync(join(home, file), "utf8")).not.toContain("{{");
    const again = await runCommand(hookOf, { home, args: ["install", host, "--yes"] });
    expect(again.err).toMatch(/is as it should be\.\n$/);
    await runCommand(hookOf, { home, args: ["uninstall", host, "--yes"] });
    expect(files(home)).toEqual([]);
    const gone = await runCommand(hookOf, { home, args: ["uninstall", host, "--yes"] });
    expect(gone.err).toMatch(/holds nothing of pmcoder\.\n$/);
  });

  it("keep the file as it was beside it, and put it back byte for byte", async () => {
    const home = temporaryFolder();
    const file = join(home, ".qwen", "settings.json");
    mkdirSync(dirname(file));
    writeFileSync(file, mine, { mode: 0o600 });
    await runCommand(hookOf, { home, args: ["install", "qwen-code", "--yes"] });
    expect(readFileSync(`${file}.pmcoder-backup`, "utf8")).toBe(mine);
    expect([modeOf(file), modeOf(`${file}.pmcoder-backup`)]).toEqual([0o600, 0o600]);
    await runCommand(hookOf, { home, args: ["uninstall", "qwen-code", "--yes"] });
    expect([readFileSync(file, "utf8"), modeOf(file)]).toEqual([mine, 0o600]);
    expect(files(home)).toEqual([".qwen/settings.json"]);
  });

  it("keep what the user changed in between", async () => {
    const home = temporaryFolder();
    const file = join(home, ".qwen", "settings.json");
    mkdirSync(dirname(file));
    writeFileSync(file, mine);
    await runCommand(hookOf, { home, args: ["install", "qwen-code", "--yes"] });
    writeFileSync(file, readFileSync(file, "utf8").replace('"vimMode": true', '"vimMode": false'));
    await runCommand(hookOf, { home, args: ["uninstall", "qwen-code", "--yes"] });
    const left = JSON.parse(readFileSync(file, "utf8"));
    expect(left).toEqual({ ...JSON.parse(mine), general: { vimMode: false } });
  });

  it("change nothing without consent", async () => {
    const home = temporaryFolder();
    const refused = (...args: string[]) => expect(runCommand(hookOf, { home, args })).rejects;
    await refused("install", "pi").toThrow("add --yes");
    await refused("install", "pi", "--user", "--project").toThrow("either --user or --project");
    expect(existsSync(join(home, ".pi"))).toBe(false);
  });
});
