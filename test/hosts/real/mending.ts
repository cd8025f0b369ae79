import type { PlayedTurn } from "./played-model.ts";

const wanted = String.raw`const whole = /^\s*(?:\d+(?:\.\d+)?\s*[a-z]+\s*)+$/;
const part = /\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*/y;`;

/** The bundled bug, mended as any agent's model would: looked at, seen, changed, checked. */
export const mending: readonly PlayedTurn[] = [
  {
    says: "I look at what the package holds.",
    acts: [{ does: "run", command: "ls src test && cat package.json README.md" }],
  },
  { says: "The issue is about parse().", acts: [{ does: "read", file: "src/parse.js" }] },
  { says: "I run the tests to see it fail.", acts: [{ does: "run", command: "node --test" }] },
  {
    says: "The expression has no place for white space, and nobody looks at what stays unread.",
    acts: [
      {
        does: "edit",
        file: "src/parse.js",
        before: String.raw`const part = /(\d+(?:\.\d+)?)([a-z]+)/y;`,
        after: wanted,
      },
    ],
  },
  {
    says: "Whatever is no duration as a whole is refused.",
    acts: [
      {
        does: "edit",
        file: "src/parse.js",
        before: "  let total = 0;",
        after:
          // biome-ignore lint/suspicious/noTemplateCurlyInString: JavaScript that the model writes.
          '  if (!whole.test(text)) throw new RangeError(`not a duration: "${text}"`);\n  let total = 0;',
      },
    ],
  },
  { says: "I verify the fix with the tests.", acts: [{ does: "run", command: "node --test" }] },
  { says: "A last look at the change.", acts: [{ does: "run", command: "git diff" }] },
  {
    says: "parse() takes white space now and refuses what it cannot read.",
    acts: [{ does: "submit" }],
  },
];
