import assert from "node:assert/strict";
import { test } from "node:test";
import { split, total } from "../src/index.js";

test("splits what divides evenly", () => {
  assert.deepEqual(split(90, 3), [30, 30, 30]);
});

test("refuses parts of a cent", () => {
  assert.throws(() => split(1.5, 2), RangeError);
});

test("refuses no parts", () => {
  assert.throws(() => split(10, 0), RangeError);
});

test("adds up", () => {
  assert.equal(total([30, 30, -10]), 50);
});
