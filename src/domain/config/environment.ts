import { z } from "zod";

export const EnvironmentConfig = z.strictObject({
  kind: z
    .enum(["docker", "bubblewrap", "local"])
    .nullable()
    .default(null)
    .describe(
      "Where commands run; null chooses: docker when an image is given, else bubblewrap where it works, else local with consent. Our choice.",
    ),
  image: z
    .string()
    .nullable()
    .default(null)
    .describe("Docker image; null derives it from the instance."),
  network: z
    .enum(["on", "off"])
    .default("off")
    .describe("Network inside the sandbox. Our choice: off, so that nothing is fetched or leaked."),
  copy: z
    .enum(["full", "tracked", "none"])
    .default("full")
    .describe(
      "What the working copy holds: everything but .pmcoder, or what git tracks and does not ignore; none: a task works in the folder itself. Our choice: full, so that tests run.",
    ),
  copyLimitBytes: z
    .int()
    .positive()
    .default(2 * 1024 ** 3)
    .describe("A full copy larger than this wants a word from the user. Our choice: 2 GiB."),
  workDir: z
    .string()
    .nullable()
    .default(null)
    .describe("Folder for working copies; null is the user's cache folder."),
  commandTimeoutSec: z
    .number()
    .positive()
    .default(60)
    .describe("Time limit of one command in seconds (Table I: 60)."),
  captureBytes: z
    .int()
    .positive()
    .default(64 * 1024)
    .describe(
      "Bytes read of each end of a command's output. Our choice: several times the observation cut; the whole stays on disk.",
    ),
  maxOutputBytes: z
    .int()
    .positive()
    .default(2 * 1024 ** 3)
    .describe(
      "A command that writes more than this is ended, so that it cannot fill the disk. Our choice: 2 GiB.",
    ),
  pullTimeoutSec: z
    .number()
    .positive()
    .default(1800)
    .describe("Time limit for pulling an image, in seconds. Our choice: images are 1 to 5 GB."),
  containerLifeSec: z
    .int()
    .positive()
    .default(7200)
    .describe(
      "A container ends itself after this, in seconds, should nobody end it (2 h as in other harnesses).",
    ),
  memoryBytes: z
    .int()
    .min(6 * 1024 ** 2)
    .nullable()
    .default(8 * 1024 ** 3)
    .describe("Memory of a container, swap included; null: no limit. Our choice: 8 GiB."),
  cpus: z
    .number()
    .min(0.01)
    .nullable()
    .default(null)
    .describe("Processors' worth of time of a container; null: no limit. Our choice: null."),
  processes: z
    .int()
    .positive()
    .nullable()
    .default(4096)
    .describe("Processes and threads of a container at once; null: no limit. Our choice: 4096."),
  env: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string())
    .default({
      PAGER: "cat",
      MANPAGER: "cat",
      GIT_PAGER: "cat",
      LESS: "-R",
      PIP_PROGRESS_BAR: "off",
      TQDM_DISABLE: "1",
      GIT_EDITOR: "true",
      GIT_TERMINAL_PROMPT: "0",
    })
    .describe(
      "Variables set for every command (Table I's harness: pagers and progress bars off; our choice: no git editor or prompt).",
    ),
});
