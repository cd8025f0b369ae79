import { describe, expect, it } from "vitest";
import { admit } from "../../../src/agent/grounding/admission.ts";
import { place, script, tally } from "./place.ts";

const importing = "import no_such_module_here\n";
const cases = [
  {
    name: "shows the issue both times",
    text: "print('41')\nexit(1)\n",
    refusal: null,
    exitCode: 1,
  },
  { name: "shows nothing", text: "exit(0)\n", refusal: /does not reproduce/, exitCode: 0 },
  { name: "cannot find out", text: "exit(2)\n", refusal: /exit status 2/, exitCode: 2 },
  { name: "takes too long", text: "import time\ntime.sleep(30)\n", refusal: /124/, exitCode: 124 },
  {
    name: "imports what is not there",
    text: importing,
    refusal: /ModuleNotFoundError/,
    exitCode: 1,
  },
  { name: "does not parse", text: "print 'a'\n", refusal: /SyntaxError/, exitCode: 1 },
  {
    name: "ends with another exception",
    text: "raise ValueError('ImportError: no')\n",
    refusal: null,
    exitCode: 1,
  },
  {
    name: "meets the exception that the issue names",
    text: importing,
    issue: "I get a ModuleNotFoundError.",
    refusal: null,
    exitCode: 1,
  },
  {
    name: "changes the repository",
    text: "open('a.py', 'a').write('x')\nexit(1)\n",
    refusal: /changes the repository's files/,
    exitCode: 1,
  },
];

describe("admission of a script that", () => {
  it.each(cases)("$name", async ({ text, issue = "", refusal, exitCode }) => {
    const { environment, base } = await place({ "a.py": "answer = 41\n" });
    const signal = new AbortController().signal;
    const parts = { environment, base, issue, timeoutSec: 2, maxFileBytes: 1e6, signal };
    const admission = await admit(script("python", text), parts);
    expect(admission.exitCode).toBe(exitCode);
    expect(admission.refusal).toEqual(refusal === null ? null : expect.stringMatching(refusal));
  });

  it("answers differently the second time is refused after two runs", async () => {
    const marks = tally();
    const { environment, base } = await place({ "a.py": "" });
    const text = `echo run >> '${marks.file}'\n[ "$(wc -l < '${marks.file}')" -eq 2 ] && exit 0\nexit 1\n`;
    const signal = new AbortController().signal;
    const parts = { environment, base, issue: "", timeoutSec: 20, maxFileBytes: 1e6, signal };
    expect((await admit(script("bash", text), parts)).refusal).toMatch(/does not reproduce/);
    expect(marks.count()).toBe(2);
  });
});
