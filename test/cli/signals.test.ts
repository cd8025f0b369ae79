import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { listenForSignals } from "../../src/cli/signals.ts";

it.each(["SIGINT", "SIGTERM"] as const)(
  "aborts at the first %s and leaves at the second",
  (name) => {
    const source = new EventEmitter();
    const left: string[] = [];
    const interruption = listenForSignals(source, (first) => left.push(first));
    expect(interruption.received()).toBeUndefined();
    source.emit(name);
    expect(interruption.signal.aborted).toBe(true);
    expect(interruption.received()).toBe(name);
    expect(left).toEqual([]);
    source.emit("SIGINT");
    expect(left).toEqual([name]);
    interruption.release();
    expect(source.listenerCount(name)).toBe(0);
  },
);
