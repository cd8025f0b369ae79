import { expect, it } from "vitest";
import { reduceTraceback } from "../../src/experience/traceback.ts";

const traceback = `before
Traceback (most recent call last):
  File "a.py", line 3, in <module>
    f()
  File "b.py", line 1, in f
    return 1 / 0
ZeroDivisionError: division by zero`;

it.each([
  ["a traceback", traceback, "    return 1 / 0\nZeroDivisionError: division by zero"],
  [
    "the last of two",
    `${traceback}\nDuring handling\n${traceback}\nend`,
    "    return 1 / 0\nZeroDivisionError: division by zero\nend",
  ],
  ["without frames", "Traceback: none", "Traceback: none"],
  ["no traceback", 'File "a.py", line 3, in f', 'File "a.py", line 3, in f'],
  ["nothing", "", ""],
])("%s", (_, text, reduced) => {
  expect(reduceTraceback(text)).toBe(reduced);
});
