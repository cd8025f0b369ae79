import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameReader } from "../../src/environments/docker-frames.ts";

function frame(stream: number, content: Uint8Array): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt8(stream, 0);
  header.writeUInt32BE(content.length, 4);
  return Buffer.concat([header, content]);
}

/** What each stream carries when the bytes come in chunks that end at these places. */
function read(bytes: Buffer, ends: readonly number[]) {
  const streams: Buffer[][] = [[], [], []];
  const reader = new FrameReader((stream, content) => streams[stream]?.push(content));
  let from = 0;
  for (const end of [...ends, bytes.length].sort((a, b) => a - b)) {
    reader.push(bytes.subarray(from, end));
    from = end;
  }
  return { streams: streams.map((parts) => Buffer.concat(parts)), cut: reader.cut };
}

const frames = fc.array(fc.tuple(fc.nat(2), fc.uint8Array({ maxLength: 40 })), { maxLength: 8 });

describe("a multiplexed stream", () => {
  it("carries the same however it is cut into chunks", () => {
    fc.assert(
      fc.property(frames, fc.array(fc.nat(400)), (sent, places) => {
        const bytes = Buffer.concat(sent.map(([stream, content]) => frame(stream, content)));
        const ends = places.map((place) => Math.min(place, bytes.length));
        const streams = [0, 1, 2].map((number) =>
          Buffer.concat(sent.filter(([stream]) => stream === number).map(([, content]) => content)),
        );
        expect(read(bytes, ends)).toEqual({ streams, cut: false });
      }),
    );
  });

  it.each([
    [0, false],
    [1, true],
    [8, true],
    [10, true],
    [11, false],
    [15, true],
  ])("that ends after %i of its bytes was cut: %s", (length, cut) => {
    const bytes = Buffer.concat([frame(1, Buffer.from("abc")), frame(2, Buffer.from("d"))]);
    expect(read(bytes.subarray(0, length), []).cut).toBe(cut);
  });

  it("that is none is refused, not passed on", () => {
    expect(() => read(Buffer.from("plain text"), [])).toThrow(
      "Expected a frame of Docker's stream, found the bytes 706c61696e207465",
    );
    expect(() => read(frame(3, Buffer.from("x")), [])).toThrow("0300000000000001");
  });
});
