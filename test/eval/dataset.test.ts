import { describe, expect, it } from "vitest";
import { checkRows, findRow } from "../../src/eval/dataset.ts";
import { rowsOfText } from "../../src/eval/dataset-text.ts";

const row = {
  instance_id: "acme__widget-12",
  repo: "acme/widget",
  base_commit: "d16bfe05a744909de4b27f5875fe0d4ed41ce607",
  problem_statement: "The widget does not turn.",
};
const other = { ...row, instance_id: "acme__widget-7" };
const lines = (...rows: readonly unknown[]) =>
  rows.map((one) => `${JSON.stringify(one)}\n`).join("");
const full = {
  ...row,
  patch: "p",
  test_patch: "t",
  FAIL_TO_PASS: ["a", "b"],
  PASS_TO_PASS: [],
  version: "1.2",
  hints_text: "",
  created_at: "2022-03-03T15:14:54Z",
  environment_setup_commit: "c",
  difficulty: "1-4 hours",
  image: "i",
  image_name: "n",
  docker_image: "d",
  eval_script: "e",
  eval_type: "y",
  log_parser: "l",
  repository: "r",
};
const read = (content: string, origin: string) => checkRows(rowsOfText(content, origin));
const find = (content: string, origin: string, id: string) =>
  findRow(rowsOfText(content, origin), origin, id);

function complaint(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  return "accepted";
}

describe("a row", () => {
  it("keeps every field that it knows and drops the others", () => {
    expect(read(lines({ ...full, later: [1] }), "a.jsonl")).toEqual({ rows: [full], faults: [] });
  });

  it("has null for what is not said", () => {
    const { rows } = read(lines({ ...row, patch: null }), "a.jsonl");
    expect(rows).toMatchObject([
      { patch: null, test_patch: null, FAIL_TO_PASS: null, image: null },
    ]);
  });

  it.each([[["t[a b]", 'q"']], ['["t[a b]", "q\\""]']])(
    "has its tests as a list, given %j",
    (tests) => {
      const { rows } = read(lines({ ...row, FAIL_TO_PASS: tests }), "a.jsonl");
      expect(rows[0]?.FAIL_TO_PASS).toEqual(["t[a b]", 'q"']);
    },
  );

  it("takes numbers where exports write them", () => {
    const { rows } = read(lines({ ...row, version: 4.3, created_at: 1646320494 }), "a.jsonl");
    expect(rows).toMatchObject([{ version: "4.3", created_at: "1646320494" }]);
  });

  it.each([
    [{ instance_id: undefined }, "a.jsonl:1: instance_id is missing"],
    [{ instance_id: "../x" }, "(../x): instance_id must be a name without blanks and slashes"],
    [{ instance_id: "a\0b" }, "instance_id must be a name without blanks and slashes"],
    [{ repo: undefined, base_commit: 7 }, "repo is missing; base_commit must be text"],
    [{ problem_statement: " \n" }, "(acme__widget-12): problem_statement is empty"],
    [{ FAIL_TO_PASS: "not json" }, "FAIL_TO_PASS must be a list of test names"],
    [{ PASS_TO_PASS: [1] }, "PASS_TO_PASS.0 must be text"],
    [{ PASS_TO_PASS: "{}" }, "PASS_TO_PASS must be a list of test names"],
    [{ patch: {} }, "patch must be text"],
  ])("with %j is refused by name", (change, message) => {
    const { rows, faults } = read(lines({ ...row, ...change }, other), "a.jsonl");
    expect(faults).toEqual([expect.stringContaining(message)]);
    expect(rows).toMatchObject([other]);
  });
});

describe("the forms of a dataset", () => {
  it.each([
    ["JSON lines", "a.jsonl", lines(row, other)],
    [
      "with CRLF, empty lines and a byte-order mark",
      "a.jsonl",
      `\ufeff${lines(row, other).replaceAll("\n", "\r\n\r\n")}`,
    ],
    ["without a last newline", "a.jsonl", lines(row, other).trimEnd()],
    ["an array", "a.json", JSON.stringify([row, other], null, 2)],
    ["an array under another name", "a.jsonl", JSON.stringify([row, other])],
    ["rows by id", "a.json", JSON.stringify({ x: row, y: other })],
  ])("%s", (_, origin, content) => {
    const ids = read(content, origin).rows.map(({ instance_id }) => instance_id);
    expect(ids).toEqual([row.instance_id, other.instance_id]);
    expect(find(content, origin, other.instance_id).instance_id).toBe(other.instance_id);
  });

  it("one row, however it is laid out", () => {
    expect(find(JSON.stringify(row, null, 2), "a.json", row.instance_id).repo).toBe("acme/widget");
  });

  it("tells every malformed row by its line, and what stands there twice; the others are there", () => {
    const broken = [row, "x", { ...row, repo: "" }, row, [], 4, null].map((one) =>
      JSON.stringify(one),
    );
    const content = [...broken, '{"cut', "{}", JSON.stringify(other)].join("\n");
    const { rows, faults } = read(content, "a.jsonl");
    expect(rows).toMatchObject([row, other]);
    expect(faults.map((fault) => fault.replace(/(is not JSON: ).*/, "$1…"))).toEqual([
      "a.jsonl:2: the row must be a JSON object",
      "a.jsonl:3 (acme__widget-12): repo is empty",
      "a.jsonl:4: acme__widget-12 stands in a.jsonl:1 already",
      "a.jsonl:5: the row must be a JSON object",
      "a.jsonl:6: the row must be a JSON object",
      "a.jsonl:7: the row must be a JSON object",
      "a.jsonl:8 is not JSON: …",
      "a.jsonl:9: instance_id is missing; repo is missing; base_commit is missing; problem_statement is missing",
    ]);
  });

  it("holds nothing: no rows", () => {
    const none = { rows: [], faults: [] };
    expect(read("\n", "a.jsonl")).toEqual(none);
    expect(read("[]", "a.json")).toEqual(none);
  });
});

describe("looking for one instance", () => {
  it("says what the rows lack when none of them has an id", () => {
    expect(() => find('{"a":1}\n', "rows.jsonl", "x__y-1")).toThrow(
      /^rows\.jsonl:1: instance_id is missing/,
    );
  });

  it("minds no other row, however broken", () => {
    const content = `{"cut\n${lines({ instance_id: "acme__widget-1" }, row)}`;
    expect(find(content, "a.jsonl", row.instance_id).base_commit).toBe(row.base_commit);
  });

  it("is not led astray by a row that only mentions it", () => {
    const content = lines(
      { ...other, hints_text: row.instance_id, PASS_TO_PASS: [row.instance_id] },
      row,
    );
    expect(find(content, "a.jsonl", row.instance_id)).toMatchObject(row);
  });

  it.each([
    [
      "a field",
      lines(other, { ...row, repo: 3 }),
      "a.jsonl:2 (acme__widget-12): repo must be text",
    ],
    ["its JSON", `${lines(other)}${lines(row).slice(0, 60)}`, "a.jsonl:2 is not JSON: "],
  ])("names a row with a fault in %s", (_, content, message) => {
    expect(complaint(() => find(content, "a.jsonl", row.instance_id))).toContain(message);
  });

  it.each([
    ["acme__widget-21", "acme__widget-12, acme__widget-7"],
    ["7", "acme__widget-7, acme__widget-12"],
    ["widget-7", "acme__widget-7, acme__widget-12"],
  ])("%s, which is not there, is answered with the nearest", (id, near) => {
    expect(complaint(() => find(lines(row, other), "a.jsonl", id))).toBe(
      `PmcoderError: a.jsonl has no instance "${id}"; the nearest of its 2 are ${near}.`,
    );
  });

  it("says so when the file holds no rows", () => {
    expect(complaint(() => find("\n", "a.jsonl", "x"))).toContain("it holds no rows");
  });
});
