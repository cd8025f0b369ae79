import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EpisodeEnd, runEpisode } from "../../src/agent/episode.ts";
import { prompts } from "../../src/agent/prompts.ts";
import { RunConfig } from "../../src/domain/config/run-config.ts";
import type { EpisodeEvent, RecordedEvent } from "../../src/domain/episode.ts";
import type { ModelRequest } from "../../src/domain/model.ts";
import type { Reproducer } from "../../src/domain/reproducer.ts";
import { openLocal } from "../../src/environments/local.ts";
import { snapshotFolder } from "../../src/store/snapshot-folder.ts";
import { type Files, layRepository } from "../episode-parts.ts";
import { patientModel } from "../patient-model.ts";
import type { Scripted } from "../scripted-model.ts";
import { stoppedClock } from "../stopped-clock.ts";

export interface Story {
  readonly files: Files;
  readonly script: readonly Scripted[];
  readonly config: object;
  readonly reproducer: Reproducer | null;
}

/** What a process recorded of an episode, and how the episode ended. */
export interface Played {
  readonly events: readonly RecordedEvent[];
  readonly end: EpisodeEnd;
  readonly requests: readonly ModelRequest[];
}

/** An episode as it was after one of its appends. */
export interface Cut {
  readonly events: readonly RecordedEvent[];
  /** A folder with everything that an episode leaves on disk, as it was then. */
  readonly state: string;
}

const run = "20260101-000000-cut0";
const issue = "add() subtracts";

/**
 * A place where one episode is played again and again: whole, or from any of its appends on. What
 * stands on disk is put back at the same paths each time.
 */
export class CutEpisode {
  readonly #root = mkdtempSync(join(tmpdir(), "pmcoder-cut-"));
  readonly #work = join(this.#root, "work");
  readonly #story: Story;

  constructor(story: Story) {
    this.#story = story;
    mkdirSync(join(this.#root, "states"));
    mkdirSync(join(this.#root, "pristine"));
    layRepository(join(this.#root, "pristine"), story.files);
  }

  /** Lines that commands have written outside the repository. */
  get log(): readonly string[] {
    return this.logIn(this.#work);
  }

  /** The same in a state. */
  logIn(state: string): readonly string[] {
    const file = join(state, "log");
    return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  }

  /** Without interruption. */
  async play(): Promise<Played & { readonly cuts: readonly Cut[] }> {
    this.#layPristine();
    const cuts: Cut[] = [];
    const played = await this.#perform([], null, (events) => {
      const state = join(this.#root, "states", String(cuts.length));
      this.#copy(this.#work, state);
      cuts.push({ events, state });
    });
    return { ...played, cuts };
  }

  /** By another process, from a cut on. `state`: another one than the cut's own. */
  async resume({ events }: Cut, state: string): Promise<Played> {
    this.#copy(state, this.#work);
    return this.#perform(events, { rebuilt: false });
  }

  /** The same when the working copy is lost. */
  async resumeElsewhere({ events, state }: Cut): Promise<Played> {
    this.#layPristine();
    this.#copy(join(state, "snapshots"), join(this.#work, "snapshots"));
    return this.#perform(events, { rebuilt: true });
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  #copy(from: string, to: string): void {
    execFileSync("sh", ["-c", 'rm -rf "$2" && cp -a "$1" "$2"', "sh", from, to]);
  }

  #layPristine(): void {
    rmSync(this.#work, { recursive: true, force: true });
    for (const name of ["records", "snapshots"])
      mkdirSync(join(this.#work, name), { recursive: true });
    this.#copy(join(this.#root, "pristine"), join(this.#work, "copy"));
  }

  async #perform(
    past: readonly RecordedEvent[],
    resumption: { readonly rebuilt: boolean } | null,
    onAppend: (events: readonly RecordedEvent[]) => void = () => {},
  ): Promise<Played> {
    const config = RunConfig.parse(this.#story.config);
    const model = patientModel(this.#story.script);
    const copy = join(this.#work, "copy");
    const shelf = snapshotFolder(join(this.#work, "snapshots"));
    const environment = await openLocal({
      copy,
      spool: join(this.#work, "outputs"),
      records: join(this.#work, "records"),
      config: config.environment,
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], LOG: join(this.#work, "log") },
    });
    const events = [...past];
    const clock = stoppedClock();
    try {
      const end = await runEpisode({
        run,
        instanceId: null,
        issue,
        version: "0.0.0",
        output: "/runs/test",
        notices: [],
        reproducer: this.#story.reproducer,
        wantsPatch: true,
        model,
        environment,
        config,
        clock,
        signal: new AbortController().signal,
        prompts: prompts({
          issue,
          wantsPatch: true,
          workdir: copy,
          ...promptSettings(config),
        }),
        past,
        shelf,
        ...(resumption && { resumed: this.#resumed(past, resumption.rebuilt) }),
        record: async (added: readonly EpisodeEvent[]) => {
          for (const event of added) {
            events.push({ ...event, run, seq: events.length, at: clock.now() });
          }
          onAppend([...events]);
        },
      });
      return { events, end, requests: model.requests };
    } finally {
      await environment.close();
    }
  }

  #resumed(past: readonly RecordedEvent[], rebuilt: boolean) {
    const newest = past.findLast((event) => event.type === "begin" || event.type === "resume");
    if (!newest) throw new Error("nothing to go on with");
    const tree = past.findLast((event) => event.type === "snapshot")?.tree ?? null;
    const saved = rebuilt && tree ? snapshotFolder(join(this.#work, "snapshots")).get(tree) : null;
    return { base: newest.base, rebuilt, saved, limits: {} };
  }
}

const promptSettings = ({ agent, environment }: RunConfig) => ({
  patch: agent.patch,
  commandTimeoutSec: environment.commandTimeoutSec,
  network: environment.network,
});
