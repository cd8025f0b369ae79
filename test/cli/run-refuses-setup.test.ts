import { describe, it } from "vitest";
import { expectRefused, type Refusal, runWith } from "./refusal.ts";
import { cassetteText, fix, issue, lastingWorld, put, replayOf, submit } from "./run-world.ts";

const refusals: readonly Refusal[] = [
  {
    of: "no model, naming the keys found",
    code: 2,
    says: /No model is set. Keys in the environment: OPENAI_API_KEY.*\n(?:.*\n)*.*--model openai:/,
    args: () => ["run", issue],
    around: { env: { OPENAI_API_KEY: "sk-secret-1" } },
  },
  {
    of: "an unknown provider",
    code: 6,
    says: 'The model "acme:large" is not known: expected provider:name',
    args: () => ["run", issue, "--model", "acme:large", "--yes"],
  },
  {
    of: "no key",
    code: 6,
    says: "There is no key for anthropic: set ANTHROPIC_API_KEY.",
    args: () => ["run", issue, "--model", "anthropic:some", "--yes"],
  },
  {
    of: "another provider's key for a named server",
    code: 6,
    says: "There is no key for https://models.invalid/v1: set PMCODER_API_KEY.",
    args: () => [
      "run",
      issue,
      "--model",
      "openai:a",
      "--base-url",
      "https://models.invalid/v1",
      "--yes",
    ],
    around: { env: { OPENAI_API_KEY: "sk-secret-1" } },
  },
  {
    of: "a recording that is not there",
    code: 6,
    says: "The recording gone.jsonl cannot be read",
    args: () => ["run", issue, "--model", "replay:gone.jsonl", "--yes"],
  },
  {
    of: "a damaged line of a cassette",
    code: 6,
    says: /Line 2 of the cassette .*cassette\.jsonl cannot be read \(not valid JSON\)/,
    args: (at) => {
      const text = cassetteText([fix, submit]).replace('"purpose":"act"', '"purp');
      return ["run", issue, "--model", `replay:${put(at, "cassette.jsonl", text)}`, "--yes"];
    },
  },
  {
    of: "a recording of another issue, in one sentence",
    code: 6,
    says: /^pmcoder: replay:\S+ was recorded for another issue\. Give that issue, or record this one with --record\.\n$/,
    args: (at) => [
      ...["run", "Something else entirely.", "--model", replayOf(at, fix), "--yes"],
      ...["--record", "../kept.jsonl"],
    ],
  },
  {
    of: "the bare system without a terminal or consent",
    code: 2,
    says: /Install bubblewrap .*--environment docker.*--yes/,
    args: (at) => ["run", issue, "--model", replayOf(at, fix), "--environment", "local"],
  },
  {
    of: "docker without an image",
    code: 2,
    says: "--environment docker wants --image NAME, or an instance.",
    args: (at) => runWith(at, issue, "--environment", "docker"),
  },
  {
    of: "a cost limit that cannot be kept",
    code: 2,
    says: "The price of openai:a is not known, so a cost limit cannot be kept. Add --allow-unknown-cost to go on without one.",
    args: () => [
      ...["run", issue, "--model", "openai:a", "--base-url", "https://models.invalid/v1"],
      ...["--yes", "--cost-limit", "1", "--record", "../kept.jsonl"],
    ],
    around: { env: { PMCODER_API_KEY: "secret-2" } },
  },
  {
    of: "a copy that is too large",
    code: 2,
    says: /holds more than .* Copy only what git knows with --copy tracked/,
    args: (at) =>
      runWith(at, issue, "-c", "environment.copyLimitBytes=1000", "--record", "../kept.jsonl"),
  },
  {
    of: "an output folder that cannot be made",
    code: 1,
    says: /^pmcoder: Cannot make \/proc\/nowhere\/run\/outputs: its file system lets no folder be made there\. Choose another folder\.\n$/,
    args: (at) => runWith(at, issue, "--output", "/proc/nowhere/run"),
  },
  {
    of: "a file for an output folder",
    code: 1,
    says: /Cannot make .*answer\.py.*Choose another folder/,
    args: (at) => runWith(at, issue, "--output", "answer.py"),
  },
  {
    of: "a state folder that cannot be made",
    code: 1,
    says: /Cannot make \/proc\/nowhere: its file system lets no folder be made there\./,
    args: (at) => runWith(at, issue, "--state", "/proc/nowhere"),
  },
  {
    of: "a file for a state folder",
    code: 1,
    says: /answer\.py.* a file stands where a folder is needed/,
    args: (at) => runWith(at, issue),
    around: { env: { PMCODER_STATE: "answer.py" } },
  },
  {
    of: "a folder for working copies that cannot be made",
    code: 1,
    says: /Cannot make \/proc\/nowhere\/.* -c environment\.workDir=DIR\./,
    args: (at) => runWith(at, issue, "-c", "environment.workDir=/proc/nowhere"),
  },
  {
    of: "a cache folder that is a file",
    code: 1,
    says: "Cannot make /proc/self/status/pmcoder/work",
    args: (at) => runWith(at, issue),
    around: { env: { XDG_CACHE_HOME: "/proc/self/status" } },
  },
  {
    of: "a cassette to record that cannot be made",
    code: 1,
    says: "The recording /proc/nowhere/a.jsonl cannot be written",
    args: (at) => runWith(at, issue, "--record", "/proc/nowhere/a.jsonl"),
  },
];

describe("pmcoder run refuses", () => {
  const at = lastingWorld();

  it.each(refusals)("$of, with status $code", (refusal) => expectRefused(at, refusal));
});
