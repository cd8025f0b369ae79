import { EventEmitter } from "node:events";
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { startViewer } from "../../src/cli/view.ts";
import {
  fix,
  lastingWorld,
  onlyRun,
  pmcoder,
  put,
  readText,
  replayOf,
  runIssue,
  submit,
  summaryIn,
  type World,
  world,
} from "./run-world.ts";

const fixtures = resolve("test/fixtures/trajectories");

/** The pages of a viewer, as a browser asks for them after it came in. */
type Get = (path: string) => Promise<string>;

/** Comes in by the address with the token; gives where it leads and a way to ask for more. */
async function comeIn(address: string): Promise<{ readonly leads: string; readonly get: Get }> {
  const entrance = await fetch(address);
  const [, leads = ""] = /content="0;url=([^"]+)"/.exec(await entrance.text()) ?? [];
  const cookie = entrance.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const get: Get = async (path) => {
    const answer = await fetch(new URL(path, address), { headers: { cookie } });
    return answer.text();
  };
  return { leads: leads.replaceAll("&amp;", "&"), get };
}

/** `pmcoder view` until its pages were used and Ctrl-C ended it; gives its exit status. */
async function viewing(
  at: World,
  args: readonly string[],
  use: (leads: string, get: Get) => Promise<void>,
): Promise<number> {
  const signals = new EventEmitter();
  let tell: (address: string) => void = () => {};
  const address = new Promise<string>((found) => {
    tell = found;
  });
  const ended = pmcoder(at, ["view", ...args], {
    signals,
    watch: (text) => {
      const [found] = /http:\S+/.exec(text) ?? [];
      if (found) tell(found);
    },
  });
  const first = await Promise.race([address, ended]);
  if (typeof first !== "string") throw new Error(`no address but ${first.err}`);
  try {
    const { leads, get } = await comeIn(first);
    await use(leads, get);
  } finally {
    signals.emit("SIGINT");
  }
  return (await ended).code;
}

describe("pmcoder view", () => {
  const at = lastingWorld();

  it("shows the runs of the repository, and one by its id, last or folder", async () => {
    await runIssue(at, replayOf(at, "cat answer.py", fix, submit));
    const folder = onlyRun(at);
    const { run } = summaryIn(folder);
    const code = await viewing(at, [], async (leads, get) => {
      expect(leads).toBe("/");
      expect(await get("/")).toContain(`href="/episode/${run}"`);
      const page = await get(`/episode/${run}`);
      expect(page).toContain("The answer is wrong: it should be 42.");
      expect(page).toContain("Shown to the model");
      expect(page).toContain(fix);
    });
    expect(code).toBe(0);
    for (const name of ["last", run.slice(0, 12), folder]) {
      await viewing(at, [name], async (leads) => expect(leads).toBe(`/episode/${run}`));
    }
  });

  it("opens a file of each format, and lists several episodes of one", async () => {
    const names = [
      "mini-v1.traj.json",
      "mini-v2.traj.json",
      "shapes__area-7.traj",
      "openhands.jsonl",
      "openhands-sdk.json",
    ];
    await viewing(
      at,
      names.map((name) => join(fixtures, name)),
      async (leads, get) => {
        expect(leads).toBe("/");
        const list = await get("/");
        for (const name of names) expect(list).toContain(`>${name}</span>`);
        expect(new Set(list.match(/href="\/episode\/t3-\d"/g)).size).toBe(2);
        for (const key of ["t0-0", "t1-0", "t2-0", "t3-1", "t4-0"]) {
          expect(await get(`/episode/${key}`)).toContain('id="step-1"');
        }
      },
    );
  });

  it("sets two files side by side", async () => {
    const two = [join(fixtures, "mini-v1.traj.json"), join(fixtures, "mini-v2.traj.json")];
    await viewing(at, two, async (leads, get) => {
      expect(leads).toBe("/compare?with=t0-0&with=t1-0");
      expect(await get(leads)).toContain("They part at step");
    });
  });

  it("passes over what is no trajectory in a folder", async () => {
    const folder = join(at.folder, "mixed", "deep");
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(fixtures, "mini-v2.traj.json"), join(folder, "v2.traj.json"));
    put(at, "mixed/index.json", '{"runs": 1}');
    await viewing(at, [join(at.folder, "mixed")], async (leads, get) => {
      expect(leads).toBe("/episode/t0-0");
      expect(await get("/")).toContain("v2.traj.json");
    });
  });

  it("replays under other settings where they are given", async () => {
    const file = put(at, "reads.traj.json", readText(fixtures, "mini-v1.traj.json"));
    const code = await viewing(at, [file, "-c", "planner.on=false"], async (leads, get) => {
      expect(await get(leads)).toContain("There is no planner.");
    });
    expect(code).toBe(0);
  });
});

describe("pmcoder view --export", () => {
  const at = world;

  it("writes one page and says so, as JSON too", async () => {
    const place = at();
    const file = join(place.repo, "page.html");
    const source = join(fixtures, "mini-v1.traj.json");
    const { code, err, out } = await pmcoder(place, ["view", source, "--export", "page.html"]);
    expect([code, out]).toEqual([0, ""]);
    expect(err).toBe(`${file}: ${Math.ceil(bytes(file) / 1000)} kB, needs no network.\n`);
    expect(readText(file)).toContain("Content-Security-Policy");
    const told = await pmcoder(place, ["view", source, "--export", "page.html", "--json"]);
    expect(JSON.parse(told.out)).toEqual({ file, bytes: bytes(file) });
  });

  it.each([
    [
      "several episodes",
      ["openhands.jsonl", "mini-v1.traj.json"],
      "A page holds one episode, or two beside each other; there are 3:",
    ],
    [
      "an instance that is not there",
      ["mini-v1.traj.json", "--instance", "nobody"],
      "No episode of nobody",
    ],
  ])("refuses %s", async (_, args, why) => {
    const words = args.map((word) => (/\.json/.test(word) ? join(fixtures, word) : word));
    const { code, err } = await pmcoder(at(), ["view", ...words, "--export", "page.html"]);
    expect(code).toBe(2);
    expect(err).toContain(why);
  });

  it("chooses an episode by its instance", async () => {
    const place = at();
    const source = join(fixtures, "openhands.jsonl");
    const words = ["view", source, "--instance", "shapes__area-7", "--export", "page.html"];
    const { code } = await pmcoder(place, words);
    expect(code).toBe(0);
    expect(readText(place.repo, "page.html")).toContain("<title>shapes__area-7</title>");
  });
});

describe("pmcoder view refuses", () => {
  it.each([
    ["a place without runs", [], "No runs: "],
    ["a name of nothing", ["nothing"], 'No file, folder or run "nothing"'],
    ["a folder of nothing", ["src"], "holds neither runs (pmcoder.db) nor trajectory files"],
    ["a file that is no trajectory", ["answer.py"], "expected a trajectory of"],
    ["a port that is none", ["--port", "70000"], "Expected a number from 0 to 65535."],
  ])("%s", async (_, args, why) => {
    const place = world();
    mkdirSync(join(place.repo, "src"));
    const { code, err } = await pmcoder(place, ["view", ...args]);
    expect(code).toBe(2);
    expect(err).toContain(why);
  });
});

it("pmcoder view does not make a journal anew that is gone", async () => {
  const place = world();
  await runIssue(place, replayOf(place, fix, submit));
  const folder = onlyRun(place);
  const { db } = summaryIn(folder);
  rmSync(db);
  const { code, err } = await pmcoder(place, ["view", folder]);
  expect(code).toBe(2);
  expect(err).toContain(`stood in ${db}, which is gone`);
  expect(existsSync(db)).toBe(false);
  await viewing(place, [join(folder, "trajectory.json")], async (leads, get) => {
    expect(await get(leads)).toContain(fix);
  });
});

describe("startViewer", () => {
  it("serves a run's page to whoever starts it, until it is closed", async () => {
    const place = world();
    await runIssue(place, replayOf(place, fix, submit));
    const { run, db } = summaryIn(onlyRun(place));
    const { url, close } = await startViewer({ database: db, run });
    const { leads, get } = await comeIn(url);
    expect(leads).toBe(`/episode/${run}`);
    expect(await get(leads)).toContain(fix);
    await close();
    await expect(fetch(url)).rejects.toThrow();
  });
});

const bytes = (file: string) => Buffer.byteLength(readText(file));
