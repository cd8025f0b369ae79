import { slug } from "./slug.js";

/** Labels of headings in their order; one that was given away already gets a number. */
export function uniqueSlugs(headings) {
  const given = new Map();
  return headings.map((heading) => {
    const label = slug(heading);
    const count = given.get(label) ?? 0;
    given.set(label, count + 1);
    return count === 0 ? label : `${label}-${count}`;
  });
}
