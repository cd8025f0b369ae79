import { createHash } from "node:crypto";
import type { EpisodeResult, ImageRecord } from "../batch/episode-result.ts";
import { compareNames } from "../statistics/outcome.ts";
import type { BootstrapOptions } from "../statistics/resample.ts";
import { type Table, textColumn } from "./document.ts";
import { type Ledger, readsOf } from "./ledger.ts";
import { fixed, plural } from "./numerals.ts";
import type { ReportSource, Workshop } from "./source.ts";

/** Where the numbers come from. */
export interface Provenance {
  readonly experiment: string;
  readonly description: string;
  readonly folder: string;
  readonly version: string;
  readonly created: string;
  readonly workshop: Workshop | null;
  /** ISO times of the first and the last event; null: nothing has run. */
  readonly began: string | null;
  readonly ended: string | null;
  readonly dataset: { readonly origin: string; readonly sha256: string };
  readonly models: readonly string[];
  readonly environments: readonly string[];
  readonly hosts: readonly string[];
  readonly grading: {
    readonly generation: string;
    readonly timeoutSec: number;
    /** Who gave the verdicts, gold patches' too, and by whose rules; none: it is not recorded. */
    readonly graders: readonly string[];
  };
  /** Instances whose own patch was graded, and those of them that the grader did not accept. */
  readonly gold: { readonly graded: number; readonly refused: readonly string[] };
  readonly results: { readonly sha256: string; readonly lines: number };
  /** The image of each instance, and a hash over all of them. */
  readonly images: {
    readonly sha256: string | null;
    readonly byInstance: Readonly<Record<string, readonly ImageRecord[]>>;
  };
  readonly bootstrap: BootstrapOptions;
}

export function provenanceOf(source: ReportSource, bootstrap: BootstrapOptions): Provenance {
  const { experiment, declaration, results, gold } = source;
  const distinct = (of: (result: EpisodeResult) => string | null) =>
    [...new Set(results.flatMap((result) => of(result) ?? []))].sort(compareNames);
  const { generation, timeoutSec } = declaration.grading;
  return {
    experiment: experiment.name,
    description: experiment.description,
    folder: source.folder,
    version: source.version,
    created: source.created,
    workshop: source.workshop,
    began: distinct(({ began }) => began)[0] ?? null,
    ended: distinct(({ ended }) => ended).at(-1) ?? null,
    dataset: declaration.dataset,
    models: modelsOf(source),
    environments: distinct(({ environment }) => environment),
    hosts: distinct(({ host }) => host),
    grading: { generation, timeoutSec, graders: gradersIn(source) },
    gold: {
      graded: gold.length,
      refused: gold.filter(({ resolved }) => resolved !== true).map(({ instance }) => instance),
    },
    results: { sha256: source.sha256, lines: results.length },
    images: imagesOf(results),
    bootstrap,
  };
}

/** As declared: a recording has another name for each episode. */
export function modelsOf({ declaration }: Pick<ReportSource, "declaration">): readonly string[] {
  return [...new Set(Object.values(declaration.arms).flatMap(({ model }) => model.name ?? []))];
}

function gradersIn({ results, gold }: Pick<ReportSource, "results" | "gold">): readonly string[] {
  const gradings = [...results.flatMap(({ grading }) => grading ?? []), ...gold];
  const graders = gradings.flatMap(({ grader, generation }) =>
    grader === undefined ? [] : `${grader}, rules of ${generation}`,
  );
  return [...new Set(graders)].sort(compareNames);
}

function imagesOf(results: readonly EpisodeResult[]): Provenance["images"] {
  const known = new Map<string, ReadonlyMap<string, ImageRecord>>();
  for (const { instance, image } of results) {
    if (image === null) continue;
    known.set(instance, new Map(known.get(instance)).set(image.id, image));
  }
  const byName = [...known].sort(([one], [other]) => compareNames(one, other));
  const ids = byName.map(([instance, images]) => [instance, [...images.keys()].sort()]);
  const sha256 = createHash("sha256").update(JSON.stringify(ids)).digest("hex");
  return {
    sha256: known.size === 0 ? null : sha256,
    byInstance: Object.fromEntries(
      byName.map(([instance, images]) => [instance, [...images.values()]]),
    ),
  };
}

/** Instances that ran in more than one image: their episodes are no repetitions of each other. */
export function mixedImages({ images }: Provenance): readonly string[] {
  return Object.entries(images.byInstance)
    .filter(([, own]) => own.length > 1)
    .map(([instance]) => instance);
}

export function provenanceTable(provenance: Provenance, ledger: Ledger): Table {
  const { dataset, models, environments, hosts, gold, results, images } = provenance;
  const { resamples, seed } = provenance.bootstrap;
  const names = Object.keys(images.byInstance).length;
  const facts: readonly (readonly [string, string])[] = [
    ["experiment", provenance.experiment],
    ["what for", provenance.description],
    ["folder", provenance.folder],
    ["pmcoder", softwareText(provenance)],
    ["ran", timeText(provenance)],
    ["dataset", `${dataset.origin}, SHA-256 ${dataset.sha256}`],
    ["instances", instancesText(provenance, ledger)],
    ["model", models.join(", ")],
    ["environment", environments.join(", ")],
    ["machines", hosts.join(", ")],
    ["grading", gradingText(provenance)],
    ["gold patches", goldText(gold)],
    ["results", `${plural(results.lines, "line")}, SHA-256 ${results.sha256}`],
    [
      "images",
      images.sha256 === null
        ? ""
        : `of ${plural(names, "instance")}, SHA-256 of their ids ${images.sha256}`,
    ],
    ["bootstrap", `${fixed(resamples)} resamples, seed ${seed}`],
  ];
  return {
    id: "provenance",
    caption: "Where these numbers come from",
    columns: [textColumn("what"), textColumn("is")],
    rows: facts.filter(([, is]) => is !== ""),
    notes: [],
    reads: readsOf(ledger),
  };
}

function softwareText({ version, workshop }: Provenance): string {
  if (workshop === null) return version;
  const { node, platform, engine } = workshop;
  const docker = engine === null ? [] : [`Docker ${engine}`];
  return [version, `Node ${node}`, platform, ...docker].join(", ");
}

function instancesText({ workshop }: Provenance, ledger: Ledger): string {
  const planned = fixed(Math.max(0, ...ledger.map(({ instances }) => instances)));
  if (workshop === null) return planned;
  const { rows, leftOut } = workshop;
  const lacking = leftOut === 0 ? "" : `; ${plural(leftOut, "malformed row")} left out`;
  return `${planned} of the dataset's ${fixed(rows)}${lacking}`;
}

function gradingText({ workshop, grading }: Provenance): string {
  const { generation, timeoutSec, graders } = grading;
  const declared = workshop?.grader ?? `rules of ${generation}`;
  const by = graders.length === 0 ? declared : graders.join("; ");
  return `${by}, at most ${fixed(timeoutSec)} s an instance`;
}

function timeText({ began, ended }: Provenance): string {
  const minute = (iso: string) => `${iso.slice(0, 16).replace("T", " ")} UTC`;
  return began === null || ended === null ? "" : `${minute(began)} to ${minute(ended)}`;
}

function goldText({ graded, refused }: Provenance["gold"]): string {
  if (graded === 0) return "not graded";
  return `${fixed(graded - refused.length)} of ${plural(graded, "instance")} resolved by their own patch`;
}

/** The content of every image, for whoever repeats it. */
export function imagesTable({ images }: Provenance, ledger: Ledger): Table {
  return {
    id: "images",
    caption: "Images by instance",
    columns: [textColumn("instance"), textColumn("image"), textColumn("digest")],
    rows: Object.entries(images.byInstance).flatMap(([instance, own]) =>
      own.map(({ name, id, digest }) => [instance, name, digest ?? id]),
    ),
    notes: [],
    reads: readsOf(ledger),
    isList: true,
  };
}
