import type { Observation } from "../../domain/episode.ts";
import { nearest } from "../../domain/nearest.ts";
import { type Overlay, patchOf } from "../edits.ts";
import type { WorkflowRun } from "../workflow-run.ts";

/** The repository as the nodes of a search see it, each with its own changes. */
export class Workspace {
  readonly #run: WorkflowRun;
  readonly #files: ReadonlySet<string>;

  constructor(run: WorkflowRun) {
    this.#run = run;
    this.#files = new Set(run.files);
  }

  get maxFileBytes(): number {
    return this.#run.config.agent.patchMaxFileBytes;
  }

  holds(path: string, overlay: Overlay): boolean {
    return overlay.has(path) || this.#files.has(path);
  }

  /** null: there is no such file, or it is no text, which no NUL stands in. */
  async text(path: string, overlay: Overlay): Promise<string | null> {
    const text = overlay.get(path) ?? (await this.#run.read(path));
    return text?.includes("\0") ? null : text;
  }

  /** The changes as a patch against the base. */
  patch(overlay: Overlay): Promise<string> {
    return patchOf(overlay, (path) => this.#run.read(path));
  }

  /** Runs a command where the changes are made. */
  async shell(command: string, patch: string): Promise<Observation> {
    const timeoutSec = this.#run.config.environment.commandTimeoutSec;
    return this.#run.execute({ patch, command, timeoutSec });
  }

  /** The file that a path of the model's means: relative, absolute, or from a folder above. */
  find(path: string, overlay: Overlay): string | null {
    const parts = path.replace(/^\.\//, "").split("/");
    const suffixes = path.startsWith("/") ? parts.map((_, at) => parts.slice(at)) : [parts];
    const found = suffixes.map((suffix) => suffix.join("/"));
    return found.find((one) => this.holds(one, overlay)) ?? null;
  }

  /** What to say of a path that leads to no file. */
  unknown(path: string): string {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const sameName = [...this.#files].filter((file) => file.endsWith(`/${name}`) || file === name);
    const close = sameName.length > 0 ? sameName : nearest(path, this.#run.files, closeness);
    const hint = close.length === 0 ? "" : ` Did you mean ${close.slice(0, 3).join(", ")}?`;
    return `There is no file ${path}.${hint}`;
  }
}

const closeness = { count: 3, within: 4 };
