/** The label of a heading: lower case, words joined by single dashes, no dash at either end. */
export function slug(heading) {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, "")
    .replace(" ", "-");
}
