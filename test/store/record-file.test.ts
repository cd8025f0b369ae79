import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { appendRecord, keepAsideIfBroken, readRecords } from "../../src/store/record-file.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pmcoder-records-"));
  file = join(folder, "results.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a file of records", () => {
  it("gives back what was added, one a line", () => {
    expect(readRecords(file)).toEqual({ records: [], broken: [] });
    const deep = join(folder, "runs", "x", "results.jsonl");
    for (const record of [{ a: "é\n" }, [1], null]) appendRecord(deep, record);
    expect(readFileSync(deep, "utf8")).toBe('{"a":"é\\n"}\n[1]\nnull\n');
    expect(readRecords(deep)).toEqual({ records: [{ a: "é\n" }, [1], null], broken: [] });
  });

  it("goes on after a line that was cut, on a fresh line, and keeps the half", () => {
    writeFileSync(file, '{"instance_id": "i-1"}\n{"instance_id": "i-2", "mod');
    expect(readRecords(file)).toEqual({
      records: [{ instance_id: "i-1" }],
      broken: [{ line: 2, text: '{"instance_id": "i-2", "mod' }],
    });
    appendRecord(file, { instance_id: "i-2" });
    appendRecord(file, { instance_id: "i-3" });
    const { records, broken } = readRecords(file);
    expect(records).toEqual([1, 2, 3].map((n) => ({ instance_id: `i-${n}` })));
    expect(broken).toEqual([{ line: 2, text: '{"instance_id": "i-2", "mod' }]);
  });

  it("loses no record that was added before it was cut, wherever that is", () => {
    const record = fc.dictionary(fc.string(), fc.oneof(fc.string({ unit: "grapheme" }), fc.nat()));
    const given = fc.tuple(fc.array(record, { minLength: 1, maxLength: 5 }), fc.nat({ max: 200 }));
    fc.assert(
      fc.property(given, ([added, cut]) => {
        rmSync(file, { force: true });
        for (const one of added) appendRecord(file, one);
        const bytes = readFileSync(file);
        const rest = bytes.subarray(0, Math.max(0, bytes.length - cut));
        writeFileSync(file, rest);
        const whole = rest.toString("utf8").split("\n").length - 1;
        appendRecord(file, { last: true });
        const { records } = readRecords(file);
        expect(records.slice(0, whole)).toEqual(JSON.parse(JSON.stringify(added.slice(0, whole))));
        expect(records.at(-1)).toEqual({ last: true });
      }),
      { numRuns: 50 },
    );
  });

  it("is whole but for its last line when its writer is killed", async () => {
    const module = fileURLToPath(new URL("../../src/store/record-file.ts", import.meta.url));
    const script = `
      import { appendRecord } from ${JSON.stringify(module)};
      for (let n = 0; ; n += 1) {
        appendRecord(${JSON.stringify(file)}, { n, padding: "x".repeat(50_000) });
        process.stdout.write(".");
      }`;
    const args = ["--import", "tsx", "--input-type=module", "-e", script];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let told = 0;
    for await (const chunk of child.stdout) {
      told += String(chunk).length;
      if (told >= 20) child.kill("SIGKILL");
    }
    const { records, broken } = readRecords(file);
    expect(records.length).toBeGreaterThanOrEqual(told);
    expect(records.map((record) => Reflect.get(Object(record), "n"))).toEqual(
      records.map((_, n) => n),
    );
    expect(broken.length).toBeLessThanOrEqual(1);
  });

  it("that cannot be read or written is named", () => {
    expect(() => appendRecord(folder, 1)).toThrow(`Cannot write to ${folder}: a folder stands in`);
    expect(() => readRecords(folder)).toThrow(
      `Cannot read ${folder}: a folder stands in its place`,
    );
  });
});

describe("a file that should be JSON", () => {
  const now = Date.UTC(2026, 10, 30, 14, 25, 1);

  it.each([
    ["state.json", '{"a":1}}'],
    ["preds.json", ""],
    ["preds.json", '{"i-1": {"model_patch": "di'],
  ])("is kept aside when it is broken: %s of %j", (name, content) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    expect(keepAsideIfBroken(path, now)).toBe(`${path}.damaged-20261130-142501`);
    expect(readdirSync(folder)).toEqual([`${name}.damaged-20261130-142501`]);
    expect(readFileSync(`${path}.damaged-20261130-142501`, "utf8")).toBe(content);
    writeFileSync(path, content);
    expect(keepAsideIfBroken(path, now)).toBe(`${path}.damaged-20261130-142501-2`);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it("stays where it is when it is whole, or missing", () => {
    const path = join(folder, "preds.json");
    expect(keepAsideIfBroken(path, now)).toBeNull();
    writeFileSync(path, "{}\n");
    expect(keepAsideIfBroken(path, now)).toBeNull();
    expect(readdirSync(folder)).toEqual(["preds.json"]);
  });
});
