import { describe, expect, it } from "vitest";
import type { DetectorState } from "../../../src/domain/plan.ts";
import { detect } from "../../../src/substrate/planner/detect.ts";
import { type DetectInput, noEdits } from "../../../src/substrate/planner/seen-call.ts";
import { listingOf } from "../../../src/substrate/shell/action.ts";
import { noMemory } from "../../../src/substrate/shell/memory.ts";
import { understand } from "../../../src/substrate/shell/understand.ts";

const context = {
  root: "/testbed",
  listing: listingOf(["src/a.py", "src/b.py", "tests/test_a.py"]),
};

type Said = string | (Partial<DetectInput> & { readonly command: string });

/** What each command of an episode is taken for, by the rule's name. */
function walk(...said: readonly Said[]) {
  let shell = noMemory;
  let state: DetectorState = noEdits;
  const rules = said.map((one) => {
    const fields = typeof one === "string" ? { command: one } : one;
    const { action, memory } = understand(fields.command, shell, context);
    shell = memory;
    const input = { text: "", action, preparesEdit: false, reproducer: null, ...fields };
    const { rule, phase, next } = detect(state, input, { testBeforeEditIsHypothesis: true });
    state = next;
    return `${rule} -> ${phase ?? "nothing"}`;
  });
  return { rules, state };
}

const fix = "sed -i 's/a/b/' src/a.py";
const print = `sed -i '3i\\    print(f"DEBUG: {x}")' src/a.py`;
const unprint = "sed -i '/DEBUG:/d' src/a.py";
const repro = "cat > repro.py <<'EOF'\nprint(1)\nEOF";
const run = "python repro.py";
const rulesOf = (...said: readonly Said[]) => walk(...said).rules;

describe("a fix standing in the tree", () => {
  it("turns probes into checks", () => {
    expect(
      rulesOf(repro, run, "pytest", fix, repro, run, "pytest", "rm repro.py", "git diff"),
    ).toEqual([
      "D5 edits scratch files -> hypothesize",
      "D6 runs -> hypothesize",
      "D3 tests -> hypothesize",
      "D1 edits source -> implement",
      "D5 edits scratch files -> verify",
      "D4 runs after a fix -> verify",
      "D3 tests -> verify",
      "D5 edits scratch files -> verify",
      "D10a reviews or sets up -> verify",
    ]);
  });

  it("does not come from prints that were put in to look around", () => {
    expect(rulesOf(print, run, "pytest", unprint, run, fix, run)).toEqual([
      "D1a puts a probe in -> hypothesize",
      "D6 runs -> hypothesize",
      "D3 tests -> hypothesize",
      "D1 edits source -> implement",
      "D6 runs -> hypothesize",
      "D1 edits source -> implement",
      "D4 runs after a fix -> verify",
    ]);
  });

  it("is in doubt while such prints stand beside it", () => {
    expect(rulesOf(fix, run, print, run, unprint, run)).toEqual([
      "D1 edits source -> implement",
      "D4 runs after a fix -> verify",
      "D1a puts a probe in -> hypothesize",
      "D6 runs -> hypothesize",
      "D1 edits source -> implement",
      "D4 runs after a fix -> verify",
    ]);
  });

  it("counts every source edit, prints included", () => {
    expect(walk(print, fix, repro).state).toMatchObject({ sourceEdits: 2, edited: ["src/a.py"] });
  });
});

describe("an edit that puts a probe in", () => {
  it.each([
    [print],
    [`sed -i "3s/DEBUG: /DEBUG: {type(x)} /" src/a.py`],
    ["sed -i '/def f/a\\        breakpoint()' src/a.py"],
    ["sed -i '3a import pdb; pdb.set_trace()' src/a.py"],
    ["sed -i '9d' src/a.py && sed -i '8i\\  print(x)' src/a.py && python repro.py"],
    [
      "cat > add_debug.py <<'EOF'\np='src/a.py'\ns=open(p).read()\nopen(p,'w').write('print(\"DEBUG: 1\")' + s)\nEOF\npython add_debug.py",
    ],
  ])("is seen in %s", (command) => {
    expect(rulesOf(command)).toEqual(["D1a puts a probe in -> hypothesize"]);
  });

  it.each([
    ["sed -i 's/self._print(expr)/self.parenthesize(expr)/' src/a.py"],
    ["sed -i '9i\\    def _print_set(self, x):\\n        return self.reprify(x)' src/a.py"],
    [unprint],
    ["sed -i '/print(x)/d' src/a.py"],
    ["sed -i 's/print(x)/log.info(x)/' src/a.py"],
    [`${fix} && python -c 'print(1)'`],
    [`${fix}\n${repro}`],
    [
      "python - <<'EOF'\ns=open('src/a.py').read()\nopen('src/a.py','w').write(s)\nprint('updated')\nEOF",
    ],
  ])("is not seen in %s", (command) => {
    expect(rulesOf(command)).toEqual(["D1 edits source -> implement"]);
  });
});

it.each([
  ["<<A\n".repeat(200_000)],
  [`sed -i ${"sed s/".repeat(100_000)}`],
  [`sed -i '/${"/".repeat(500_000)}`],
  [`sed -i '3i\\${"print".repeat(200_000)}' src/a.py`],
])(
  "reads a degenerate edit (%.20s…) in time linear in its length",
  (text) => {
    const { action } = understand(fix, noMemory, context);
    const input = { text, command: text, action, preparesEdit: false, reproducer: null };
    expect(detect(noEdits, input, { testBeforeEditIsHypothesis: true }).phase).toBe("implement");
  },
  5_000,
);

describe("reading", () => {
  it("its own edit is checking it, until something else is run", () => {
    expect(
      rulesOf(fix, "sed -n 1,9p src/a.py", "cat src/b.py", "cat src/a.py", run, "cat src/a.py"),
    ).toEqual([
      "D1 edits source -> implement",
      "D9a looks at its own work -> verify",
      "D9 looks -> explore",
      "D9a looks at its own work -> verify",
      "D4 runs after a fix -> verify",
      "D9 looks -> explore",
    ]);
  });

  it("an edited file in order to check it is verification at any time", () => {
    const text = "I'll double check the file.";
    expect(rulesOf(fix, run, { command: "cat src/a.py", text }).at(-1)).toBe(
      "D9a looks at its own work -> verify",
    );
    expect(rulesOf(fix, run, { command: "cat src/b.py", text }).at(-1)).toBe("D9 looks -> explore");
  });

  it("its own script serves what the script serves", () => {
    expect(rulesOf(repro, "cat repro.py")[1]).toBe("D9a looks at its own work -> hypothesize");
    expect(rulesOf(repro, fix, run, "cat repro.py")[3]).toBe("D9a looks at its own work -> verify");
  });

  it("about the tools is exploring before a fix and checking after it", () => {
    const version = "pytest --version";
    expect(rulesOf(version, "pip list | grep numpy")).toEqual([
      "D9 looks -> explore",
      "D9 looks -> explore",
    ]);
    expect(rulesOf(fix, version, "pip list | grep numpy").slice(1)).toEqual([
      "D9b looks at the tools -> verify",
      "D9b looks at the tools -> verify",
    ]);
    expect(rulesOf('python -c "import numpy; print(numpy.__version__)"')).toEqual([
      "D6a asks for a version -> explore",
    ]);
  });
});

describe("other habits", () => {
  it("takes a patch script, and a test in the tests' folder, for implementing", () => {
    const script = { command: "cat > patch_a.py <<'EOF'\n…\nEOF", preparesEdit: true };
    expect(rulesOf(script)).toEqual(["D1b prepares an edit -> implement"]);
    expect(rulesOf(fix, "cat > tests/test_new.py <<'EOF'\ndef test(): pass\nEOF").at(-1)).toBe(
      "D1b prepares an edit -> implement",
    );
  });

  it("takes testing without the change for checking", () => {
    expect(
      rulesOf(fix, "git checkout src/a.py && pytest", "git checkout src/a.py").slice(1),
    ).toEqual(["D2a tests without the change -> verify", "D2 reverts -> implement"]);
  });

  it("takes a program that no table names for a run", () => {
    expect(rulesOf("frobnicate .", fix, "frobnicate .")).toEqual([
      "D6b runs a program -> hypothesize",
      "D1 edits source -> implement",
      "D6b runs a program -> verify",
    ]);
  });

  it("hears a cause only in what leads up to the command", () => {
    const look = "cat src/a.py";
    const text = "The bug is in flush.\n\nNow the other place.";
    expect(rulesOf({ command: look, text: "The bug is in flush." })[0]).toContain("D8");
    expect(rulesOf({ command: look, text })[0]).toContain("D9 looks");
  });
});
