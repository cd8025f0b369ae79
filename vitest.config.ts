import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Most tests wait for shells and processes: as many workers as a small machine has cores.
    maxWorkers: 2,
  },
});
