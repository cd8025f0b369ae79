import { EventEmitter } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Kind } from "../../../src/cli/choose-environment.ts";
import { Closing } from "../../../src/cli/closing.ts";
import { askToStart } from "../../../src/cli/eval/consent.ts";
import type { Session } from "../../../src/cli/session.ts";
import { listenForSignals } from "../../../src/cli/signals.ts";
import type { Forecast } from "../../../src/eval/experiment/forecast.ts";

const costs = { low: 1, expected: 2, high: 3 };
const paid: Forecast = { rows: [], total: costs, atMost: 9 };
const free: Forecast = { rows: [], total: { low: 0, expected: 0, high: 0 }, atMost: 0 };
const unknown: Forecast = { rows: [], total: null, atMost: 9 };

/** What was asked, and how it ended; `answer` null: nobody is at the terminal. */
async function ask(forecast: Forecast, kinds: readonly Kind[], answer: string | null, yes = false) {
  const stderr = Object.assign(new PassThrough(), { isTTY: answer !== null });
  const stdin = Object.assign(Readable.from([`${answer ?? ""}\n`]), { isTTY: answer !== null });
  const signals = new EventEmitter();
  const interruption = listenForSignals(signals, () => {});
  const io = {
    env: {},
    cwd: "/",
    stdin,
    stdout: new PassThrough(),
    stderr,
    signals,
    leave: () => {},
  };
  const session: Session = { io, interruption, closing: new Closing() };
  const survey = { kinds: new Set(kinds), images: new Map() };
  const ended = await askToStart(forecast, survey, yes, session).then(
    () => "starts",
    (error: unknown) => Reflect.get(Object(error), "code"),
  );
  return [String(stderr.read() ?? ""), ended];
}

const question = "Start? [y]es, [N]o: ";
const warning = "Commands will run on this machine without a sandbox, and none is asked about.\n";

describe("the question before an experiment", () => {
  it.each([
    ["money, agreed to", paid, ["docker"], "y", [question, "starts"]],
    ["money, in full words", unknown, ["docker"], "Yes", [question, "starts"]],
    ["money, refused", paid, ["docker"], "n", [question, "interrupted"]],
    ["money, not answered", paid, ["docker"], "", [question, "interrupted"]],
    ["money, where nobody is there: the cap stands", paid, ["docker"], null, ["", "starts"]],
    ["nothing", free, ["bubblewrap"], "n", ["", "starts"]],
    ["no sandbox", free, ["local"], "y", [`${warning}${question}`, "starts"]],
    ["no sandbox, where nobody is there", free, ["local"], null, ["", "usage"]],
  ] as const)("is about %s", async (_, forecast, kinds, answer, expected) => {
    expect(await ask(forecast, kinds, answer)).toEqual(expected);
  });

  it("is not asked after --yes", async () => {
    expect(await ask(paid, ["local"], "n", true)).toEqual(["", "starts"]);
  });
});
