import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { watchProgress } from "../../src/cli/progress.ts";
import { episode, recorded } from "./scripted-episode.ts";
import { esc, pipe, terminal } from "./text-streams.ts";

const output = ".pmcoder/runs/r1";

describe("progress on a terminal", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_700_000_000_000, toFake: ["setInterval", "clearInterval", "Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function watched(columns?: number, env = {}) {
    const stream = terminal(columns);
    const watcher = watchProgress({ stream, env, output, now: () => Date.now() });
    const play = (upTo: number) => {
      for (const event of recorded(episode).slice(0, upTo)) {
        vi.setSystemTime(event.at);
        watcher.see(event);
      }
    };
    return { stream, watcher, play };
  }

  it("ends with the same lines as anywhere else, and no live line", () => {
    const { stream, play } = watched(120);
    play(episode.length);
    const elsewhere = pipe();
    const other = watchProgress({ stream: elsewhere, env: {}, output, now: () => 0 });
    for (const event of recorded(episode)) other.see(event);
    expect(stream.screen().join("\n")).toBe(elsewhere.text());
    expect(vi.getTimerCount()).toBe(0);
  });

  it("shows the step, what happens, tokens, money, elapsed time and the command", () => {
    const { stream, play } = watched();
    play(11);
    expect(stream.screen().at(-1)).toBe(
      "⠋ step 3 · runs 0 s · 27.3k tokens · $0.030 · 12 s · $ pytest -q␉tests ␛[2J &&…",
    );
    vi.advanceTimersByTime(3_000);
    expect(stream.screen().at(-1)).toMatch(
      /^. step 3 · runs 3 s · 27\.3k tokens · \$0\.030 · 15 s · /,
    );
  });

  it("counts the seconds of a model call too, with one line however long it takes", () => {
    const { stream, play } = watched();
    play(3);
    const before = stream.screen().length;
    const seen = new Set<string>();
    for (let second = 0; second < 20; second += 1) {
      vi.advanceTimersByTime(1_000);
      seen.add(stream.screen().at(-1)?.slice(2) ?? "");
    }
    expect(seen.size).toBe(20);
    expect(stream.screen()).toHaveLength(before);
    expect(stream.screen().at(-1)).toMatch(
      /^. step 1 · model thinks 20 s · 0 tokens · \$0\.000 · 20 s$/,
    );
  });

  it("never draws a live line as wide as the screen, whatever its width", () => {
    for (const columns of [20, 33, 80]) {
      const { stream, play } = watched(columns);
      play(11);
      expect([...(stream.screen().at(-1) ?? "")].length).toBeLessThan(columns);
    }
  });

  it("uses colours, but none with NO_COLOR", () => {
    const painted = watched();
    painted.play(episode.length);
    expect(painted.stream.written.join("")).toContain(`${esc}[32m→ exit 0 (0.2 s)${esc}[0m`);
    const bare = watched(80, { NO_COLOR: "1" });
    bare.play(episode.length);
    const written = bare.stream.written.join("").replaceAll(`${esc}[2K`, "");
    expect(written).not.toContain(esc);
  });

  it("is plain on a dumb terminal", () => {
    const { stream, play } = watched(80, { TERM: "dumb" });
    play(episode.length);
    expect(stream.written.join("")).not.toContain(esc);
  });

  it("stands still while it is held", () => {
    const { stream, watcher, play } = watched();
    play(11);
    const release = watcher.hold();
    stream.write("Run it? ");
    vi.advanceTimersByTime(5_000);
    expect(stream.screen().at(-1)).toBe("Run it? ");
    stream.write("y\n");
    release();
    release();
    vi.advanceTimersByTime(1_000);
    expect(stream.screen().at(-1)).toContain("step 3 · runs 6 s");
  });

  it("is cleared when the run breaks off", () => {
    const { stream, watcher, play } = watched();
    play(11);
    watcher.close();
    expect(stream.screen().at(-1)).toBe("");
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the timer of the live line", () => {
  it("does not keep the process alive", async () => {
    const stream = terminal();
    const before = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const watcher = watchProgress({ stream, env: {}, output, now: () => Date.now() });
    for (const event of recorded(episode.slice(0, 3))) watcher.see(event);
    const after = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    expect(after).toBe(before);
    const drawn = stream.written.length;
    await sleep(600);
    expect(stream.written.length).toBeGreaterThan(drawn);
    watcher.close();
  });
});
