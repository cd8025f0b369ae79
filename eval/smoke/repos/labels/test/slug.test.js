import assert from "node:assert/strict";
import { test } from "node:test";
import { slug, uniqueSlugs } from "../src/index.js";

test("joins two words", () => {
  assert.equal(slug("Getting Started"), "getting-started");
});

test("drops what is neither letter nor digit", () => {
  assert.equal(slug("What's new?"), "whats-new");
});

test("numbers what stands there twice", () => {
  assert.deepEqual(uniqueSlugs(["Usage", "Usage"]), ["usage", "usage-1"]);
});
