import { describe, expect, it } from "vitest";
import { queueByKey } from "../../../src/eval/harness/queue-by-key.ts";

/** Work that notes its beginning and ends when it is told to. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve, reject) => {
      ends.set(name, (failure) => (failure ? reject(failure) : resolve(name)));
    });
  };
  return { begun, work, end: (name: string, failure?: Error) => ends.get(name)?.(failure) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("work by key", () => {
  it("is done one after the other for one key, also after a failure, and at once for two", async () => {
    const inTurn = queueByKey();
    const { begun, work, end } = works();
    const one = inTurn("a", work("a1"));
    const two = inTurn("a", work("a2"));
    const other = inTurn("b", work("b1"));
    const three = inTurn("a", work("a3"));
    await settled();
    expect(begun).toEqual(["a1", "b1"]);
    end("a1", new Error("lost"));
    await expect(one).rejects.toThrow("lost");
    await settled();
    expect(begun).toEqual(["a1", "b1", "a2"]);
    end("a2");
    expect(await two).toBe("a2");
    await settled();
    end("a3");
    end("b1");
    expect(await Promise.all([three, other])).toEqual(["a3", "b1"]);
  });
});
