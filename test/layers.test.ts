import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

/**
 * Who may import whom: the architecture, one row a room. Inner rooms of substrate and eval are rows
 * too; there `eval` is what lies in none of its own.
 */
const mayImport: Record<string, readonly string[]> = {
  domain: [],
  statecharts: ["domain"],
  "substrate/shell": ["domain"],
  "substrate/planner": ["domain", "statecharts", "substrate/shell"],
  "substrate/memory": ["domain", "substrate/shell"],
  "substrate/injection": ["domain", "substrate/planner", "substrate/memory"],
  substrate: [
    "domain",
    "statecharts",
    "substrate/shell",
    "substrate/planner",
    "substrate/memory",
    "substrate/injection",
  ],
  trajectories: ["domain"],
  models: ["domain", "trajectories"],
  store: ["domain", "trajectories"],
  environments: ["domain"],
  experience: ["domain", "trajectories", "substrate/shell", "substrate/memory"],
  agent: ["domain", "substrate"],
  workflows: ["domain", "substrate", "agent", "experience"],
  eval: ["domain", "substrate", "agent", "trajectories"],
  "eval/experiment": ["domain"],
  "eval/statistics": ["domain", "eval"],
  "eval/grading": ["domain", "eval"],
  "eval/batch": ["domain", "agent", "trajectories", "eval", "eval/experiment"],
  "eval/harness": ["domain", "agent", "eval", "eval/batch", "eval/grading"],
  "eval/report": ["domain", "eval", "eval/batch", "eval/experiment", "eval/statistics"],
  viewer: ["domain", "store", "trajectories", "substrate", "statecharts"],
  hosts: ["domain", "substrate", "store", "trajectories"],
};

/** The room of a file: `substrate/shell` before `substrate`, `eval/batch` before `eval`. */
function roomOf(path: string): string {
  const inside = path.replace(/^src\//, "");
  const inner = /^((?:substrate|eval)\/[^/]+)\//.exec(inside)?.[1];
  return inner ?? inside.split("/")[0] ?? "";
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import\(?)\s*["'](\.[^"']+)["']/g)].map((match) =>
    normalize(join(dirname(file), match[1] ?? "")),
  );
}

/** Who may import a room may import its inner rooms, but for those who live in one of them. */
function allows(from: string, target: string): boolean {
  const rooms = mayImport[from] ?? [];
  const outside = rooms.filter((room) => !from.startsWith(`${room}/`));
  return rooms.includes(target) || outside.some((room) => target.startsWith(`${room}/`));
}

function violations(file: string, text: string): string[] {
  const from = roomOf(file);
  if (from === "cli") return [];
  return importsOf(file, text)
    .filter((target) => roomOf(target) !== from)
    .filter((target) => !allows(from, roomOf(target)))
    .map((target) => `${file} -> ${target}`);
}

const sources = ["src", "statecharts"].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(root, name)),
);

describe("layers", () => {
  it.each(sources)("%s imports only what its room may", (file) => {
    expect(violations(file, readFileSync(file, "utf8"))).toEqual([]);
  });

  it.each([
    ["src/substrate/memory/x.ts", 'import { a } from "../planner/plan.ts";'],
    ["src/eval/x.ts", 'await import("../models/openai.ts");'],
    ["src/eval/statistics/x.ts", 'import { a } from "../report/page.ts";'],
    ["src/eval/x.ts", 'import { a } from "./batch/batch.ts";'],
    ["src/viewer/x.ts", 'import { a } from "../cli/io.ts";'],
    ["src/domain/x.ts", 'import "../store/sqlite.ts";'],
    ["src/newroom/x.ts", 'import { a } from "../domain/phase.ts";'],
  ])("refuses %s: %s", (file, text) => {
    expect(violations(file, text)).toHaveLength(1);
  });
});
