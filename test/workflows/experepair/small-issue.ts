import type { Replies } from "../replies-by-purpose.ts";

export const issue = "answer() of answers.py gives 41. It should give 42.";

export const files = {
  "answers.py": "def answer():\n    return 41\n",
  "tests/test_answers.py": "from answers import answer\n",
};

const fence = "```";
export const python = (text: string) => `It promises 42.\n${fence}python\n${text}\n${fence}\n`;
const list = (...lines: readonly string[]) => `There.\n${fence}\n${lines.join("\n")}\n${fence}`;

const edit = (original: string, patched: string, file = "answers.py") =>
  `The constant.\n<edit>\n<file>${file}</file>\n<original>\n${original}\n</original>\n<patched>\n${patched}\n</patched>\n</edit>`;
export const fix = (value: string) => edit("    return 41", `    return ${value}`);

export const check = (verdict: string, advice = "") =>
  `<analysis>Seen.</analysis>\n<reproduced>${verdict}</reproduced>\n<advice>${advice}</advice>`;
export const advice = (text: string) => `<analysis>Read.</analysis>\n<advice>${text}</advice>`;
export const verdicts = (ranking: string, correct: string) =>
  `<ranking>${ranking}</ranking>\n<correct>${correct}</correct>`;

export const show = "from answers import answer\nprint('answer()', '->', answer())";

/** Replies that lead through every stage, with some at each that cannot be used. */
export const replies: Replies = {
  test: ["I would call answer().", python("import nothing_like_it"), python(show)],
  check: ["It failed.", "", check("NO", "Import answers."), check("YES")],
  locate: [
    "Somewhere in the sources.",
    list("answers.py", "../outside.py", "gone.py"),
    list("answers.py"),
    list("answers.py:1-2", "gone.py:1-2"),
    list("answers.py:2"),
  ],
  patch: [
    fix("42"),
    edit("    return 40", "    return 42"),
    fix("43"),
    fix("6 * 7"),
    // Fuller and simpler ones of the three that are found correct.
    fix("int('42')"),
    fix("42"),
    edit("x", "y", "../../etc/passwd"),
    fix("21 * 2"),
    "No patch.",
  ],
  review: ["All of them.", verdicts("1, 3, 2", "1, 2, 3")],
  advise: [
    advice("Convert."),
    advice("Fine."),
    advice("More."),
    ...Array.from({ length: 5 }, () => "Hm."),
    advice("Products."),
    advice("Less."),
  ],
  select: [
    verdicts("", "1"),
    verdicts("2, 1, 3", ""),
    "The first.",
    "Number one.",
    "<ranking>one</ranking>",
  ],
  validate: [python(`${show}\nprint('expected 42')`), "None.", python(show)],
};
