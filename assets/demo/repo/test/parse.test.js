import assert from "node:assert/strict";
import { test } from "node:test";
import { format, parse } from "../src/index.js";

test("reads parts that stand together", () => {
  assert.equal(parse("1h30m"), 5400);
  assert.equal(parse("2d"), 172_800);
});

test("refuses an unknown unit", () => {
  assert.throws(() => parse("3 fortnights"), RangeError);
  assert.throws(() => parse("3fortnights"), RangeError);
});

test("reads back what format() writes", () => {
  for (const total of [1, 61, 3600, 5400, 90_061]) assert.equal(parse(format(total)), total);
});
