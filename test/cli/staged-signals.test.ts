import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { listenInStages } from "../../src/cli/staged-signals.ts";

describe("signals in stages", () => {
  it("drain at first, then end what runs, then leave, told by the first", () => {
    const source = new EventEmitter();
    const left: string[] = [];
    const { drain, signal, received, release } = listenInStages(source, (first) =>
      left.push(first),
    );
    const stages = () => [drain.aborted, signal.aborted, left.length];
    expect([received(), ...stages()]).toEqual([undefined, false, false, 0]);
    source.emit("SIGTERM");
    expect([received(), ...stages()]).toEqual(["SIGTERM", true, false, 0]);
    source.emit("SIGINT");
    expect(stages()).toEqual([true, true, 0]);
    expect(signal.reason).toMatchObject({ code: "interrupted", cause: "SIGTERM" });
    source.emit("SIGINT");
    expect(left).toEqual(["SIGTERM"]);
    release();
    expect(source.eventNames()).toEqual([]);
  });
});
