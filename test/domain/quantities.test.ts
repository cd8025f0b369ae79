import { describe, expect, it } from "vitest";
import { bytes, count, dollars, duration, plural } from "../../src/domain/quantities.ts";

describe("quantities as people read them", () => {
  it.each([
    [0, "0 s"],
    [0.04, "0.0 s"],
    [0.25, "0.3 s"],
    [2, "2 s"],
    [9.94, "9.9 s"],
    [9.96, "10 s"],
    [59.4, "59 s"],
    [59.6, "1 min 00 s"],
    [65, "1 min 05 s"],
    [3599.7, "1 h 00 min"],
    [7_380, "2 h 03 min"],
  ])("%d seconds are %s", (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });

  it.each([
    [0, "0"],
    [999, "999"],
    [1000, "1.00k"],
    [18_249, "18.2k"],
    [999_499, "999k"],
    [999_500, "1.00M"],
    [1_250_000, "1.25M"],
  ])("a count of %d is %s", (value, text) => {
    expect(count(value)).toBe(text);
  });

  it.each([
    [0, "$0.000"],
    [0.0312, "$0.031"],
    [1.239, "$1.24"],
    [null, "cost unknown"],
  ])("a cost of %d is %s", (cost, text) => {
    expect(dollars(cost)).toBe(text);
  });

  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1234, "1.2 kB"],
    [5_300_000, "5.3 MB"],
    [12_000_000_000, "12.0 GB"],
  ])("%d bytes are %s", (value, text) => {
    expect(bytes(value)).toBe(text);
  });

  it("counts one and many", () => {
    expect([plural(0, "file"), plural(1, "file"), plural(2, "file")]).toEqual([
      "0 files",
      "1 file",
      "2 files",
    ]);
  });
});
