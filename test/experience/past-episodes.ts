import type { IssueIdentity, PastEpisode } from "../../src/domain/experience.ts";
import { issue } from "./repair-memories.ts";

/** A command, its status and its output. */
export type Ran = readonly [command: string, exitCode: number | null, output: string];

export const keyError = `Traceback (most recent call last):
  File "repro.py", line 2, in <module>
    save({})
KeyError: 'name'`;

const wrong = `Traceback (most recent call last):
  File "repro.py", line 1, in <module>
NameError: name 'save' is not defined`;

const script = (path: string, body: string) => `cat > ${path} <<'EOF'\n${body}\nEOF`;

export const shows = "from src.form import save\nsave({})";

/** A repair from the first look to the last check: a script mended once, and a patch mended once. */
export const repair: readonly Ran[] = [
  ["ls src && cat src/form.py", 0, "form.py\ndef save(data): return data['name']"],
  [`${script("repro.py", "save({})")}\npython repro.py`, 1, wrong],
  [`${script("repro.py", shows)}\npython repro.py`, 1, keyError],
  ["sed -i 's/return/  return/' src/form.py && python repro.py", 1, keyError],
  ["sed -i \"s/data\\['name'\\]/data.get('name')/\" src/form.py", 0, ""],
  ["python repro.py", 0, ""],
  ["python -m pytest tests/test_form.py", 0, "=== 3 passed in 0.12s ==="],
  ["rm repro.py && git diff", 0, ""],
];

export const repairPatch = `diff --git a/src/form.py b/src/form.py
--- a/src/form.py
+++ b/src/form.py
@@ -1 +1 @@ def save(data):
-    return data['name']
+    return data.get('name')
`;

interface Given {
  readonly from?: IssueIdentity;
  readonly ran?: readonly Ran[];
  readonly resolved?: boolean;
  readonly patch?: string;
  readonly source?: string;
}

/** A past episode, by default the repair of `KeyError` when a form is saved. */
export function pastEpisode(given: Given = {}): PastEpisode {
  const { from = issue("form-1", { issue: "KeyError when an empty form is saved" }) } = given;
  const { ran = repair, resolved = true, patch = repairPatch, source = "form-1.traj.json" } = given;
  const steps = ran.map(([command, exitCode, output], at) => ({
    index: at + 1,
    thought: `Turn ${at + 1}.`,
    command,
    output,
    exitCode,
    timedOut: false,
  }));
  return { from, source, resolved, root: "/testbed", steps, patch };
}
