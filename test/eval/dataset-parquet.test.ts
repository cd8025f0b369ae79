import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkRows } from "../../src/eval/dataset.ts";
import { rowsOfParquet } from "../../src/eval/dataset-parquet.ts";

/** Files that pyarrow 26 wrote, with the same three invented rows. */
const bytesOf = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../fixtures/datasets/${name}.parquet`, import.meta.url)));
const read = async (name: string) => checkRows(await rowsOfParquet(bytesOf(name), name));

describe("the rows of a Parquet file", () => {
  it.each(["v4-snappy", "v5-snappy", "v5-plain"])(
    "%s: usable ones, and what is wrong",
    async (name) => {
      const { rows, faults } = await read(name);
      expect(faults).toEqual([`${name}, row 3 (acme__gadget-1): repo is empty`]);
      expect(rows).toMatchObject([
        {
          instance_id: "acme__widget-12",
          problem_statement: "The widget does not turn – nor does it stop.",
          test_patch: "",
          FAIL_TO_PASS: ["test_w.py::test_turn[a b]"],
          PASS_TO_PASS: [],
          hints_text: null,
          created_at: expect.stringContaining("2022-03-03T15:14:54"),
        },
        { instance_id: "acme__widget-7", FAIL_TO_PASS: ["a", "b"], hints_text: "oil" },
      ]);
    },
  );

  it("has what version 5 adds, and no column that a row does not know", async () => {
    const { rows } = await read("v5-plain");
    expect(rows[0]).toMatchObject({
      image: "acme/widget:12",
      eval_script: "true",
      eval_type: "pass_and_fail",
      log_parser: "parse_log_pytest",
    });
    const [first] = await rowsOfParquet(bytesOf("v5-plain"), "v5");
    expect(first?.value()).not.toHaveProperty("blob");
  });

  it("finds a row by its id without checking it", async () => {
    const raw = await rowsOfParquet(bytesOf("v4-snappy"), "v4");
    expect(raw.map((row) => row.seems())).toEqual([
      "acme__widget-12",
      "acme__widget-7",
      "acme__gadget-1",
    ]);
    expect(raw.filter((row) => row.mentions("acme__widget-7"))).toHaveLength(1);
  });
});

describe("a Parquet file that cannot be read", () => {
  const whole = bytesOf("v4-snappy");

  it.each([
    ["zstd", bytesOf("v4-zstd"), /^a\.parquet is compressed with ZSTD; .* compression="snappy"/],
    ["gzip", bytesOf("v4-gzip"), /^a\.parquet is compressed with GZIP; /],
    [
      "cut short",
      whole.slice(0, 900),
      /^a\.parquet is damaged or cut short \(.+\)\. Fetch or copy/,
    ],
    ["cut to nothing", whole.slice(0, 0), /^a\.parquet is not a Parquet file/],
    ["damaged inside", damaged(whole), /^a\.parquet is damaged or cut short/],
    ["a web page", Buffer.from("<!doctype html><p>Sign in"), /does not begin with PAR1/],
    [
      "a pointer",
      Buffer.from("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"),
      /^a\.parquet is a pointer of Git LFS, not the file: fetch it with `git lfs pull`/,
    ],
  ])("%s: says so", async (_, bytes, message) => {
    await expect(rowsOfParquet(new Uint8Array(bytes), "a.parquet")).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(message),
    });
  });
});

/** The first page overwritten, the footer as it was. */
function damaged(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(bytes, (byte, at) => (at >= 4 && at < 60 ? 0xff : byte));
}
