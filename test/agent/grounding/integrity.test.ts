import { describe, expect, it } from "vitest";
import { Integrity } from "../../../src/agent/grounding/integrity.ts";
import { GroundingConfig } from "../../../src/domain/config/grounding.ts";
import type { IntegrityRecord } from "../../../src/domain/evidence.ts";
import type { Files } from "../../episode-parts.ts";
import { type Place, place } from "./place.ts";

interface Watch extends Place {
  /** Runs a command and checks what it changed. */
  edit(command: string): Promise<IntegrityRecord | null>;
  readonly integrity: Integrity;
}

async function watch(files: Files): Promise<Watch> {
  const at = await place(files);
  const { environment, base } = at;
  const integrity = new Integrity({ environment, base, config: GroundingConfig.parse({}) });
  let calls = 0;
  return {
    ...at,
    integrity,
    edit: async (command) => {
      calls += 1;
      const record = await integrity.check(`c${calls}`, await at.run(command));
      if (record) integrity.note({ type: "integrity", step: calls, ...record });
      return record;
    },
  };
}

const good = "def f():\n    return 1\n";

describe("edit integrity", () => {
  it("names file, line and message, and what to do", async () => {
    const { edit } = await watch({ "pkg/a.py": good });
    const record = await edit("sed -i 's/    return/return/' pkg/a.py");
    expect(record?.checked).toEqual(["pkg/a.py"]);
    expect(record?.note).toMatchInlineSnapshot(`
      "<integrity>
      Does not parse after this edit:
      pkg/a.py, line 2: IndentationError: expected an indented block after function definition on line 1
      Restore or repair before editing further.
      </integrity>"
    `);
  });

  it("is silent where files parse, and where nothing can be parsed", async () => {
    const { edit } = await watch({ "a.py": good, "a.md": "x\n" });
    expect(await edit("sed -i s/1/2/ a.py")).toMatchObject({ corrupt: [], note: null });
    expect(await edit("echo '(' > a.md")).toBeNull();
    expect(await edit("cat a.py")).toBeNull();
  });

  it("checks new files, scratch ones too", async () => {
    const { edit } = await watch({ "a.py": good });
    expect(await edit("echo 'print 1' > reproduce.py")).toMatchObject({
      corrupt: [{ file: "reproduce.py", line: 1 }],
    });
  });

  it("passes over what did not parse when the run began", async () => {
    const { edit, integrity } = await watch({ "old.py": "print 'a'\n", "t.js": "{{ name }};;{\n" });
    expect(await edit("echo \"print 'b'\" >> old.py; echo >> t.js")).toBeNull();
    expect(integrity.corrupt).toEqual([]);
  });

  it("watches such a file once it has parsed", async () => {
    const { edit } = await watch({ "old.py": "print 'a'\n" });
    expect(await edit("echo 'print(1)' > old.py")).toMatchObject({ checked: ["old.py"] });
    expect(await edit("echo 'print 1' > old.py")).toMatchObject({ corrupt: [{ file: "old.py" }] });
  });

  it("looks at three files a command", async () => {
    const names = ["a", "b", "c", "d"].map((name) => `${name}.py`);
    const { edit } = await watch(Object.fromEntries(names.map((name) => [name, good])));
    const record = await edit(
      `for f in ${names.join(" ")}; do echo; done; echo '(' | tee ${names.join(" ")}`,
    );
    expect(record?.corrupt.map(({ file }) => file)).toEqual(["a.py", "b.py", "c.py"]);
  });

  it.each([
    ["put back by name", "git checkout -- a.py"],
    ["put back with all others", "git checkout ."],
    [
      "mended by a script that names no file",
      "python3 -c \"import base64 as b;exec(b.b64decode('b3BlbignYS5weScsJ3cnKS53cml0ZSgnJyk='))\"; touch b.py",
    ],
    ["deleted", "rm a.py"],
  ])("forgets a corrupt file that is %s", async (_how, mend) => {
    const { edit, integrity } = await watch({ "a.py": good });
    await edit("echo '(' >> a.py");
    expect(integrity.corrupt).toEqual(["a.py"]);
    expect(await edit(mend)).toMatchObject({ corrupt: [], note: null });
    expect(integrity.corrupt).toEqual([]);
  });

  it("repeats itself while a file stays corrupt and others are edited", async () => {
    const { edit } = await watch({ "a.py": good, "b.py": good });
    await edit("echo '(' >> a.py");
    expect(await edit("echo >> b.py")).toMatchObject({
      checked: ["b.py", "a.py"],
      corrupt: [{ file: "a.py", line: 3 }],
    });
  });

  it("is rebuilt by its own events", async () => {
    const first = await watch({ "a.py": good });
    const record = await first.edit("echo '(' >> a.py");
    const { environment, base } = first;
    const again = new Integrity({ environment, base, config: GroundingConfig.parse({}) });
    if (record) again.note({ type: "integrity", step: 1, ...record });
    expect(again.corrupt).toEqual(["a.py"]);
  });
});
