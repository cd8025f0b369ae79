import { describe, expect, it } from "vitest";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import { decodeEvents, encodeEvents } from "../../src/store/event-codec.ts";
import { call, observed, reply } from "../trajectories/recorded-episode.ts";

const step: readonly EpisodeEvent[] = [
  reply(1, "Look.", [call("c1", "true")]),
  { type: "command", step: 1, callId: "c1", command: "true" },
  observed(1, "c1", ""),
];

describe("stored events", () => {
  it("take less than a quarter of their JSON, small as they are", () => {
    expect(encodeEvents(step).length * 4).toBeLessThan(JSON.stringify(step).length);
    expect(decodeEvents(encodeEvents(step))).toEqual(step);
  });

  it("of earlier releases can still be read", () => {
    const stored =
      "o0Gq8snPz9bDkrQMiUlRoOxJVKoyMcCXrkwRycpAz8DAyBR3EjLUMyU2DRmiJB2IU3WIT0CGA5xuQKFAasJBTisA";
    expect(decodeEvents(Buffer.from(stored, "base64"))).toEqual(step);
  });

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["noise", Buffer.from([0, 255, 1, 2])],
    ["no list", encodeEvents({} as never)],
    ["no events", encodeEvents([1] as never)],
  ])("are refused when they are %s", (_name, bytes) => {
    expect(() => decodeEvents(bytes)).toThrow();
  });
});
