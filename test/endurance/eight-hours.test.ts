import { expect, it } from "vitest";
import { runEpisode } from "../../src/agent/episode.ts";
import { activeMs } from "../../src/agent/limits.ts";
import type { Environment } from "../../src/domain/environment.ts";
import type { EpisodeEvent, RecordedEvent } from "../../src/domain/episode.ts";
import { openaiModel } from "../../src/models/openai.ts";
import { testEpisode } from "../episode-parts.ts";
import { failure, openaiServer, reply } from "../loopback/openai-server.ts";
import { optionsFor } from "../models/adapter-setup.ts";
import { plan } from "../patient-model.ts";
import { scriptedModel } from "../scripted-model.ts";
import { type StoppedClock, stoppedClock } from "../stopped-clock.ts";
import { isPlan, turnsIn } from "./patient-server.ts";

const hourMs = 3_600_000;
const limitSec = 8 * 3600;
const commandMs = 5 * 60_000;

/** A server that is overloaded before every third reply, for two minutes. */
function overloadedServer() {
  let asked = 0;
  return openaiServer({
    respond: (request) => {
      asked += 1;
      if (asked % 4 === 0) return failure(429, { message: "Slow down" }, { "retry-after": "120" });
      if (isPlan(request)) return reply({ content: plan });
      const command = `echo ${turnsIn(request) + 1} >> notes.txt`;
      const call = { id: `call-${turnsIn(request) + 1}`, name: "bash" };
      return reply({ calls: [{ ...call, arguments: JSON.stringify({ command }) }] });
    },
  });
}

/** Its commands take minutes by the clock; the user interrupts the one that begins after `untilMs`. */
function slow(environment: Environment, clock: StoppedClock, interrupt: (nowMs: number) => void) {
  const execute: Environment["execute"] = async (command, options) => {
    const isCommand = options.errand !== true;
    if (isCommand) interrupt(clock.now());
    const result = await environment.execute(command, options);
    if (isCommand) clock.advance(commandMs);
    return result;
  };
  return { ...environment, execute };
}

const ofType = <Type extends EpisodeEvent["type"]>(events: readonly RecordedEvent[], type: Type) =>
  events.filter((event): event is Extract<RecordedEvent, { type: Type }> => event.type === type);

it("works for eight hours, a pause and a clock that was set back not counted", async () => {
  const server = await overloadedServer();
  const events: RecordedEvent[] = [];
  const config = {
    planner: { on: true },
    memory: { on: true },
    agent: { timeLimitSec: limitSec },
    environment: { commandTimeoutSec: 600 },
  };
  const opening = await testEpisode(scriptedModel([]), { "a.txt": "1\n" }, { config });

  /** One process of the run: its clock starts anywhere. */
  async function work(startMs: number, interruptAtMs: number) {
    const clock = stoppedClock(startMs);
    const controller = new AbortController();
    const { parts } = opening;
    const past = [...events];
    const begun = past.find((event) => event.type === "begin");
    const resumed = begun && { base: begun.base, rebuilt: false, saved: null, limits: {} };
    return runEpisode({
      ...parts,
      model: openaiModel({
        ...optionsFor("openai", `${server.url}/v1`, { retryMaxSec: 120 }),
        clock,
      }),
      environment: slow(parts.environment, clock, (nowMs) => {
        if (nowMs >= interruptAtMs) controller.abort();
      }),
      clock,
      signal: controller.signal,
      past,
      ...(resumed && { resumed }),
      record: async (added) => {
        for (const event of added) {
          events.push({ ...event, run: parts.run, seq: events.length, at: clock.now() });
        }
      },
    });
  }

  const start = Date.UTC(2026, 5, 1, 22);
  expect(await work(start, start + 5 * hourMs)).toMatchObject({ status: "interrupted" });
  const yesterday = start - 24 * hourMs;
  const end = await work(yesterday, Number.POSITIVE_INFINITY);
  await server.close();

  expect(end.status).toBe("time_limit");
  expect(end.reason).toMatch(/^28[89]\d\d s of 28800 s used$/);
  const worked = activeMs(events) / 1000;
  expect(worked).toBeGreaterThanOrEqual(limitSec);
  expect(worked).toBeLessThan(limitSec + commandMs / 1000 + 240);
  const last = ofType(events, "end").at(-1);
  expect(last?.seconds).toBeCloseTo(worked, 3);

  const waits = ofType(events, "retry");
  expect(waits.length).toBeGreaterThan(20);
  expect(new Set(waits.map(({ waitSec }) => waitSec))).toEqual(new Set([120]));
  const steps = ofType(events, "reply").flatMap(({ step, purpose }) =>
    purpose === "act" ? step : [],
  );
  expect(steps).toEqual(steps.map((_, at) => at + 1));
  // Five minutes a command and two of waiting before every third call: 340 s a step.
  expect(steps.length).toBeGreaterThan(80);
  expect(ofType(events, "observation")).toHaveLength(steps.length);

  const [near, ...more] = ofType(events, "remark");
  expect(more).toEqual([]);
  expect(near).toMatchObject({ about: "limit" });
  const before = events.slice(
    0,
    events.findIndex(({ type }) => type === "remark"),
  );
  expect(activeMs(before) / 1000).toBeGreaterThanOrEqual(0.9 * limitSec);
}, 240_000);
