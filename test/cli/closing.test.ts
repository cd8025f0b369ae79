import { expect, it } from "vitest";
import { Closing } from "../../src/cli/closing.ts";

it("closes the newest first, whatever fails, and each once", async () => {
  const closing = new Closing();
  const closed: string[] = [];
  const failure = new Error("stuck");
  closing.add(() => void closed.push("first"));
  closing.add(async () => {
    await Promise.resolve();
    closed.push("second");
    throw failure;
  });
  closing.add(() => {
    closed.push("third");
    throw failure;
  });
  expect(await closing.close()).toEqual([failure, failure]);
  expect(closed).toEqual(["third", "second", "first"]);
  expect(await closing.close()).toEqual([]);
  expect(closed).toHaveLength(3);
});
