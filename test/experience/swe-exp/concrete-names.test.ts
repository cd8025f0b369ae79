import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  concreteNamesOf,
  namesKept,
  withoutNames,
} from "../../../src/experience/swe-exp/concrete-names.ts";

const patch = `diff --git a/lib/shapes/area.py b/lib/shapes/area.py
--- a/lib/shapes/area.py
+++ b/lib/shapes/area.py
@@ -1,2 +1,2 @@ class ShapeStore:
-    def total_area(self): return sum(areaOf(x) for x in self._items)
+    def total_area(self): return sum(map(areaOf, self.items))
`;
const known = concreteNamesOf(patch);

describe("concrete names", () => {
  it.each([
    ["total_area returns too little", ["total_area"]],
    ["ShapeStore and its _items", ["ShapeStore", "_items"]],
    ["`areaOf` in area.py or lib/shapes/area.py", ["areaOf", "area.py", "lib/shapes/area.py"]],
    ["sum the area of all items", []],
    ["OtherClass and other_name are not in the patch", []],
  ])("of %j are %j", (text, names) => {
    expect(namesKept(text, known)).toEqual(names);
  });

  it("are replaced by what they are", () => {
    const text = "Look at `ShapeStore` in area.py: total_area skips what KeyError hides.";
    expect(withoutNames(text, known)).toBe(
      "Look at a class in a file: an entity skips what KeyError hides.",
    );
  });

  it("none survives, whatever stands around them", () => {
    const word = fc.oneof(fc.constantFrom(...known), fc.string({ maxLength: 8 }));
    fc.assert(
      fc.property(fc.array(word), fc.constantFrom(" ", "`", ".", "(", "/", ", "), (words, glue) => {
        expect(namesKept(withoutNames(words.join(glue), known), known)).toEqual([]);
      }),
    );
  });
});
