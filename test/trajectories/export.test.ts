import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RunConfig } from "../../src/domain/config/run-config.ts";
import { conversationOf } from "../../src/domain/conversation.ts";
import { type EpisodeEvent, exitStatuses, type Step } from "../../src/domain/episode.ts";
import { PmcoderError } from "../../src/domain/errors.ts";
import { miniTrajectory } from "../../src/trajectories/export.ts";
import { stepsOf } from "../../src/trajectories/foreign.ts";
import { readTrajectories } from "../../src/trajectories/read-trajectories.ts";
import {
  beginEvent,
  call,
  episodeEvents,
  observed,
  promptEvent,
  recorded,
  reply,
} from "./recorded-episode.ts";

const patch = "diff --git a/area.py b/area.py\n";
const exported = (events: readonly EpisodeEvent[]) =>
  miniTrajectory(recorded("run-1", events), patch);
const readBack = (events: readonly EpisodeEvent[]) =>
  readTrajectories(JSON.stringify(exported(events)), "trajectory.json")[0];

function adviceFor(step: number, callId: string, block: string): EpisodeEvent {
  return {
    type: "advice",
    step,
    callId,
    block,
    hint: null,
    phase: "explore",
    policyPhase: "explore",
    subTask: null,
    done: 0,
    total: 0,
    backtrack: false,
    stuck: null,
    retrieved: [],
  };
}

/** The steps that the observations of an episode stand for. */
function stepsIn(events: readonly EpisodeEvent[]): readonly Step[] {
  return events.flatMap((event): Step[] => {
    if (event.type !== "observation") return [];
    const { step: index, callId, output, exitCode, timedOut } = event;
    const asked = events.find((other) => other.type === "reply" && other.step === index);
    const message = asked?.type === "reply" ? asked.message : undefined;
    const command = String(message?.calls.find(({ id }) => id === callId)?.input["command"]);
    return [{ index, thought: message?.content ?? "", command, output, exitCode, timedOut }];
  });
}

describe("miniTrajectory", () => {
  it("writes an episode as mini-swe-agent-1.1", () => {
    const { info, ...rest } = exported(episodeEvents("run-1"));
    const { config, ...ours } = info["pmcoder"] as { readonly config: unknown };
    expect(config).toEqual(RunConfig.parse({ environment: { env: { PAGER: "cat" } } }));
    expect({ info: { ...info, pmcoder: ours }, ...rest }).toMatchSnapshot();
  });

  it("shows each result as the model saw it, and keeps what the command printed apart", () => {
    const events = [
      ...[
        beginEvent("run-1"),
        promptEvent,
        reply(1, "Look.", [call("a", "ls")]),
        observed(1, "a", "x\n"),
      ],
      adviceFor(1, "a", "[PLANMEM]\nphase=explore\n[/PLANMEM]"),
    ];
    const messages = exported(events).messages;
    expect(messages.map(({ content }) => content)).toEqual(
      conversationOf(events).map(({ content }) => content),
    );
    expect(messages.at(-1)?.content).toMatch(/\[\/PLANMEM\]$/);
    expect(messages.at(-1)?.extra).toMatchObject({ raw_output: "x\n" });
    const step = stepsIn(events)[0];
    expect(readBack(events)?.turns.flatMap(stepsOf)).toEqual([step]);
  });

  it("is read back with the same replies, calls, results and rejections", () => {
    const events = episodeEvents("run-1");
    const episode = readBack(events);
    expect(episode).toMatchObject({
      format: "mini-swe-agent-1.1",
      instanceId: "shapes__area-7",
      task: "The area is wrong.\n",
      model: "scripted:test",
      workdir: "/home/ada/shapes",
      exitStatus: "Submitted",
      submission: patch,
      cut: false,
    });
    expect(episode?.turns.map(({ rejected }) => rejected)).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
    const accepted = episode?.turns.filter(({ rejected }) => !rejected) ?? [];
    expect(accepted.flatMap(stepsOf)).toEqual(stepsIn(events));
  });

  it("gives back any output and exit code", () => {
    const results = fc.array(
      fc.record({
        command: fc.string({ unit: "grapheme" }),
        output: fc.string({ unit: "grapheme" }),
        exitCode: fc.integer({ min: 0, max: 255 }),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(results, (given) => {
        const calls = given.map(({ command }, n) => call(`c${n}`, command));
        const events = [
          beginEvent("run-1"),
          promptEvent,
          reply(1, "Go.", calls),
          ...given.map(({ output, exitCode }, n) => observed(1, `c${n}`, output, { exitCode })),
        ];
        expect(readBack(events)?.turns.flatMap(stepsOf)).toEqual(stepsIn(events));
      }),
    );
  });

  it.each([
    ["submitted", "Submitted"],
    ["no_patch", "Submitted"],
    ["step_limit", "LimitsExceeded"],
    ["cost_limit", "LimitsExceeded"],
    ["time_limit", "TimeExceeded"],
    ["format_errors", "RepeatedFormatError"],
    ["context_exhausted", "ContextWindowExceededError"],
    ["environment_lost", "EnvironmentLost"],
    ["image_missing", "ImageMissing"],
    ["model_unavailable", "ModelUnavailable"],
    ["interrupted", "KeyboardInterrupt"],
    ["error", "InternalError"],
  ] as const)("tells %s by the name %s", (status, name) => {
    const end = { type: "end", status, reason: "", seconds: 1 } as const;
    const { info, messages } = exported([beginEvent("run-1"), promptEvent, end]);
    expect(info["exit_status"]).toBe(name);
    expect(messages.at(-1)).toMatchObject({ role: "exit", extra: { exit_status: name } });
    expect(exitStatuses).toContain(status);
  });

  it("has no exit message while the run goes on, also after an earlier end", () => {
    const end = { type: "end", status: "interrupted", reason: "", seconds: 1 } as const;
    const { info, messages } = exported([
      beginEvent("run-1"),
      promptEvent,
      end,
      reply(1, "Again.", [call("c1", "ls")]),
    ]);
    expect(info["exit_status"]).toBe("");
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant"]);
  });

  it("refuses a record without its beginning", () => {
    const exporting = () => exported([promptEvent]);
    expect(exporting).toThrow(PmcoderError);
    expect(exporting).toThrow(
      "The record of run run-1 starts with prompt, not with its begin event",
    );
  });
});
