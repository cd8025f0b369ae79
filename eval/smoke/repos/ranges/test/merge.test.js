import assert from "node:assert/strict";
import { test } from "node:test";
import { merge, size } from "../src/index.js";

test("joins ranges that overlap", () => {
  assert.deepEqual(merge([[1, 4], [3, 6], [8, 9]]), [[1, 6], [8, 9]]);
});

test("joins ranges that touch", () => {
  assert.deepEqual(merge([[1, 2], [3, 4]]), [[1, 4]]);
});

test("leaves its argument as it is", () => {
  const given = [[5, 6], [1, 2]];
  merge(given);
  assert.deepEqual(given, [[5, 6], [1, 2]]);
});

test("counts a number once", () => {
  assert.equal(size([[1, 4], [2, 5]]), 5);
});
