import { describe, expect, it } from "vitest";
import { infraFailureIn } from "../../../src/eval/grading/infra-failure.ts";

describe("infraFailureIn", () => {
  it.each([
    ["Failed to launch chrome", "browser_launch_failed", "environment"],
    ["unable to open X display", "display_unavailable", "environment"],
    ["a\nKilled\n", "out_of_memory", "environment"],
    ["Error response from daemon: no", "container_unavailable", "environment"],
    ["Could not resolve host: lamp", "network_unreachable", "environment"],
    ["ModuleNotFoundError: wick", "missing_module", "ambiguous"],
    ["collected 0 items", "no_tests_collected", "ambiguous"],
    ["Timeout error: 1800 seconds exceeded.", "tests_timed_out", "ambiguous"],
    ["no tests ran\nKilled", "out_of_memory", "environment"],
  ])("%j speaks for %s", (text, reason, tier) => {
    expect(infraFailureIn(text)).toEqual({ reason, tier });
  });

  it.each(["", "AssertionError", "Killed by a test", "Not\nKilled it"])(
    "%j for nothing",
    (text) => {
      expect(infraFailureIn(text)).toBeNull();
    },
  );
});
