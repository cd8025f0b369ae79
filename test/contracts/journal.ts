import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EpisodeEvent, RecordedEvent } from "../../src/domain/episode.ts";
import { PmcoderError } from "../../src/domain/errors.ts";
import type { Journal } from "../../src/domain/journal.ts";
import { beginEvent, episodeEvents } from "../trajectories/recorded-episode.ts";

export interface OpenedJournal {
  readonly journal: Journal;
  /** Moves the clock that the journal was given. */
  readonly advance: (ms: number) => void;
  readonly now: () => number;
  close(): Promise<void>;
}

const text = fc.string({ unit: "grapheme", maxLength: 60 });
const count = fc.nat({ max: 1_000_000 });

/** Events of a run after its first. */
const laterEvent: fc.Arbitrary<EpisodeEvent> = fc.oneof(
  fc.record({ type: fc.constant("notice" as const), text }),
  fc.record({
    type: fc.constant("command" as const),
    step: count,
    callId: text,
    command: text,
  }),
  fc.record({ type: fc.constant("submission" as const), step: count, text }),
  fc.record({
    type: fc.constant("observation" as const),
    step: count,
    callId: text,
    exitCode: fc.integer({ min: 0, max: 255 }),
    timedOut: fc.boolean(),
    interrupted: fc.boolean(),
    background: fc.boolean(),
    output: text,
    totalBytes: count,
    leftOutBytes: count,
    seconds: fc.double({ min: 0, max: 1e6, noNaN: true }),
    content: text,
  }),
  fc.record({
    type: fc.constant("end" as const),
    status: fc.constantFrom("submitted" as const, "interrupted" as const),
    reason: text,
    seconds: fc.constant(1),
  }),
);

/** As a reader gets them: what JSON keeps. */
const plain = (events: readonly EpisodeEvent[]) =>
  JSON.parse(JSON.stringify(events)) as EpisodeEvent[];

function withoutRecord(events: readonly RecordedEvent[]): unknown[] {
  return events.map(({ run: _run, seq: _seq, at: _at, ...event }) => event);
}

/** What every journal keeps to. `open` gives an empty one. */
export function describeJournal(
  name: string,
  open: () => OpenedJournal | Promise<OpenedJournal>,
): void {
  describe(`${name} as a journal`, () => {
    let opened: OpenedJournal;
    let journal: Journal;

    beforeEach(async () => {
      opened = await open();
      journal = opened.journal;
    });
    afterEach(() => opened.close());

    it("gives back what was appended, numbered from 0 and timed by its clock", async () => {
      const [begin, ...rest] = episodeEvents("r1");
      const startedAt = opened.now();
      const first = await journal.append("r1", begin ? [begin] : []);
      opened.advance(1500);
      const later = await journal.append("r1", rest);
      const read = await journal.read("r1");
      expect(read).toEqual([...first, ...later]);
      expect(read.map(({ seq }) => seq)).toEqual([begin, ...rest].map((_, seq) => seq));
      expect(read.map(({ at }) => at)).toEqual([startedAt, ...rest.map(() => startedAt + 1500)]);
      expect(read.every(({ run }) => run === "r1")).toBe(true);
      expect(withoutRecord(read)).toEqual(
        plain([begin, ...rest].flatMap((event) => event ?? [])).map((event) => {
          const { run: _run, ...known } = event as { run?: string };
          return known;
        }),
      );
    });

    it("keeps any events in any batches, runs apart", async () => {
      const batches = fc.array(
        fc.tuple(fc.constantFrom("a", "b", "c"), fc.array(laterEvent, { maxLength: 4 })),
        { maxLength: 12 },
      );
      let round = 0;
      await fc.assert(
        fc.asyncProperty(batches, async (given) => {
          round += 1;
          const written = new Map<string, RecordedEvent[]>();
          for (const name of ["a", "b", "c"]) {
            const run = `${name}${round}`;
            written.set(run, [...(await journal.append(run, [beginEvent(run)]))]);
          }
          for (const [name, events] of given) {
            written
              .get(`${name}${round}`)
              ?.push(...(await journal.append(`${name}${round}`, events)));
          }
          for (const [run, events] of written) {
            expect(await journal.read(run)).toEqual(JSON.parse(JSON.stringify(events)));
            expect(events.map(({ seq }) => seq)).toEqual(events.map((_, seq) => seq));
          }
        }),
        { numRuns: 40 },
      );
    });

    it("lists runs, the newest first, each with how it stands", async () => {
      await journal.append("r1", [beginEvent("r1")]);
      opened.advance(1);
      await journal.append("r2", episodeEvents("r2"));
      const row = { instanceId: "shapes__area-7", arm: "baseline", model: "scripted:test" };
      const startedAt = opened.now();
      expect(await journal.runs()).toEqual([
        { run: "r2", ...row, startedAt, status: "submitted" },
        { run: "r1", ...row, startedAt: startedAt - 1, status: "running" },
      ]);
    });

    it("counts an ended run as running again once it goes on", async () => {
      const end = { type: "end", status: "interrupted", reason: "", seconds: 1 } as const;
      await journal.append("r1", [beginEvent("r1"), end]);
      expect((await journal.runs())[0]?.status).toBe("interrupted");
      await journal.append("r1", [{ type: "notice", text: "resumed" }]);
      expect((await journal.runs())[0]?.status).toBe("running");
    });

    it("has nothing to tell of a run that it does not know", async () => {
      expect(await journal.read("r1")).toEqual([]);
      expect(await journal.runs()).toEqual([]);
    });

    it("takes no events for a run that has not begun, and no second beginning", async () => {
      const early = () => journal.append("r1", [{ type: "notice", text: "early" }]);
      await expect(early()).rejects.toThrow(PmcoderError);
      expect(await journal.read("r1")).toEqual([]);
      await journal.append("r1", [beginEvent("r1")]);
      await expect(journal.append("r1", [beginEvent("r1")])).rejects.toThrow(PmcoderError);
      expect(await journal.read("r1")).toHaveLength(1);
    });

    it("keeps all of an append or none of it", async () => {
      await journal.append("r1", [beginEvent("r1")]);
      const circular: Record<string, unknown> = {};
      circular["self"] = circular;
      const broken = { type: "notice", text: "a", circular } as unknown as EpisodeEvent;
      await expect(journal.append("r1", [{ type: "notice", text: "b" }, broken])).rejects.toThrow();
      expect(await journal.read("r1")).toHaveLength(1);
      expect((await journal.append("r1", [{ type: "notice", text: "c" }]))[0]?.seq).toBe(1);
    });

    it("appends nothing for no events, and may be closed twice", async () => {
      expect(await journal.append("r1", [])).toEqual([]);
      await opened.close();
      await opened.close();
    });
  });
}
