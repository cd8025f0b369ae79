import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // One file at a time: several watch the machine's own processes, their own among them.
    maxWorkers: 1,
    // Tests that ask for it run two at a time: what they start needs a processor each.
    maxConcurrency: 2,
  },
});
