import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Vocabulary } from "./played-model.ts";

/** Where a host runs: a home and a repository of its own, and the address of its model. */
interface Place {
  readonly home: string;
  readonly repo: string;
  readonly url: string;
}

export interface NpmHost {
  /** As `pmcoder hook install` knows it. */
  readonly name: "qwen-code" | "pi" | "opencode";
  readonly version: string;
  readonly vocabulary: (repo: string) => Vocabulary;
  /** The user's own settings, without us. */
  readonly settle: (at: Place) => void;
  readonly command: (task: string) => readonly string[];
  readonly env: (at: Place) => Readonly<Record<string, string>>;
}

/** The folder that .ci/hosts fills. */
export const hostsFolder = process.env["PMCODER_HOSTS"] ?? "";
const modules = join(hostsFolder, "npm", "node_modules");
const model = "fake-1";

function writeJson(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

const qwen: NpmHost = {
  name: "qwen-code",
  version: "0.24.4",
  vocabulary: (repo) => (act) => {
    if (act.does === "run") {
      const { command } = act;
      return { name: "run_shell_command", arguments: { command, is_background: false } };
    }
    if (act.does === "submit") return null;
    const file_path = join(repo, act.file);
    if (act.does === "read") return { name: "read_file", arguments: { file_path } };
    const { before: old_string, after: new_string } = act;
    return { name: "edit", arguments: { file_path, old_string, new_string } };
  },
  settle: ({ home }) =>
    writeJson(join(home, ".qwen", "settings.json"), {
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      security: { auth: { selectedType: "openai" } },
    }),
  command: (task) => [
    process.execPath,
    join(modules, "@qwen-code", "qwen-code", "cli-entry.js"),
    "-p",
    task,
    "--yolo",
  ],
  env: ({ url }) => ({
    OPENAI_API_KEY: "fake-key",
    OPENAI_MODEL: model,
    OPENAI_BASE_URL: `${url}/v1`,
  }),
};

const pi: NpmHost = {
  name: "pi",
  version: "0.73.1",
  vocabulary: () => (act) => {
    if (act.does === "run") return { name: "bash", arguments: { command: act.command } };
    if (act.does === "submit") return null;
    const { file: path } = act;
    if (act.does === "read") return { name: "read", arguments: { path } };
    const edits = [{ oldText: act.before, newText: act.after }];
    return { name: "edit", arguments: { path, edits } };
  },
  settle: ({ home, url }) =>
    writeJson(join(home, ".pi", "agent", "models.json"), {
      providers: {
        fake: {
          baseUrl: `${url}/v1`,
          api: "openai-completions",
          apiKey: "fake-key",
          models: [{ id: model }],
        },
      },
    }),
  command: (task) => [
    process.execPath,
    join(modules, "@mariozechner", "pi-coding-agent", "dist", "cli.js"),
    ...["-p", "--provider", "fake", "--model", model, "--no-session", task],
  ],
  env: () => ({ PI_OFFLINE: "1", PI_TELEMETRY: "0" }),
};

const opencode: NpmHost = {
  name: "opencode",
  version: "1.18.33",
  vocabulary: (repo) => (act) => {
    if (act.does === "run") {
      const { command } = act;
      return { name: "bash", arguments: { command, description: "Runs a command" } };
    }
    if (act.does === "submit") return null;
    const filePath = join(repo, act.file);
    if (act.does === "read") return { name: "read", arguments: { filePath } };
    const { before: oldString, after: newString } = act;
    return { name: "edit", arguments: { filePath, oldString, newString } };
  },
  settle: ({ home, url }) => {
    const folder = join(home, ".config", "opencode");
    writeJson(join(folder, "opencode.json"), {
      autoupdate: false,
      share: "disabled",
      model: `fake/${model}`,
      small_model: `fake/${model}`,
      permission: { "*": "allow" },
      provider: {
        fake: {
          npm: "@ai-sdk/openai-compatible",
          name: "Fake",
          options: { baseURL: `${url}/v1`, apiKey: "fake-key" },
          models: { [model]: { name: "Fake 1" } },
        },
      },
    });
    // What it would fetch by itself.
    const kept = join(hostsFolder, "opencode-settings");
    for (const name of ["node_modules", "package.json", "package-lock.json"]) {
      symlinkSync(join(kept, name), join(folder, name));
    }
  },
  command: (task) => [join(modules, "opencode-linux-x64-baseline", "bin", "opencode"), "run", task],
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  }),
};

export const npmHosts: readonly NpmHost[] = [qwen, pi, opencode];
