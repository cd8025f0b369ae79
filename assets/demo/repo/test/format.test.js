import assert from "node:assert/strict";
import { test } from "node:test";
import { format } from "../src/index.js";

test("writes the largest units first and skips empty ones", () => {
  assert.equal(format(5400), "1h 30m");
  assert.equal(format(86_405), "1d 5s");
  assert.equal(format(0), "0s");
});
