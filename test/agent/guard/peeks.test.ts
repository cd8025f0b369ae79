import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { peeksIn } from "../../../src/agent/guard/peeks.ts";
import type { EpisodeEvent } from "../../../src/domain/episode.ts";
import { beginEvent, observed } from "../../trajectories/recorded-episode.ts";

const base = "1111111aaaa1111111aaaa1111111aaaa1111111";

/** An episode on an instance of sympy: commands, each with what it printed. */
function episode(...steps: readonly (string | readonly [command: string, output: string])[]) {
  const begin = beginEvent("r1");
  if (begin.type !== "begin") throw new Error("it begins with begin");
  const first: EpisodeEvent = {
    ...begin,
    instanceId: "sympy__sympy-23824",
    task: "Broken since 2222222bbbb in sympy.\n",
    base: { ...begin.base, commit: base },
  };
  const turns = steps.flatMap((step, at): readonly EpisodeEvent[] => {
    const [command, output] = typeof step === "string" ? [step, ""] : step;
    const callId = `c${at + 1}`;
    return [{ type: "command", step: at + 1, callId, command }, observed(at + 1, callId, output)];
  });
  return [first, ...turns];
}

const reasonsOf = (command: string) => peeksIn(episode(command)).map(({ reason }) => reason);

describe("a command that looks past the base", () => {
  it.each([
    ["git log --all --oneline", "walks history that HEAD does not reach: git log --all"],
    [
      "git --no-pager log -p --remotes=origin",
      "walks history that HEAD does not reach: git log --remotes=origin",
    ],
    [
      "cd /testbed && git -C . rev-list --all | head",
      "walks history that HEAD does not reach: git rev-list --all",
    ],
    ["git log -g", "walks history that HEAD does not reach: git log -g"],
    ["git reflog show main", "reads the reflog: git reflog show"],
    ["git show HEAD@{1}", "reads the reflog: HEAD@{1}"],
    ["git show 'stash@{0}' main@{yesterday}", "reads the reflog: main@{yesterday}"],
    ["git fsck --lost-found", "lists objects that no history reaches: git fsck"],
    [
      "git cat-file --batch-check --batch-all-objects",
      "lists objects that no history reaches: git cat-file",
    ],
    ["git fetch -q", "fetches from another repository: git fetch"],
    ["git fetch https://github.com/sympy/sympy", "fetches from another repository: git fetch"],
    ["git pull origin master", "fetches from another repository: git pull"],
    [
      "git clone --depth 1 https://github.com/sympy/sympy /tmp/s",
      "fetches from another repository: git clone",
    ],
    ["git clone git@github.com:sympy/sympy.git", "fetches from another repository: git clone"],
    ["git ls-remote --tags origin", "fetches from another repository: git ls-remote"],
    ["git remote update", "fetches from another repository: git remote"],
    [
      "git checkout origin/master -- sympy/core",
      "names what was fetched from a remote: origin/master",
    ],
    [
      "git show origin/master:sympy/core/basic.py | head",
      "names what was fetched from a remote: origin/master",
    ],
    ["git diff HEAD..upstream/1.12 -- a.py", "names what was fetched from a remote: upstream/1.12"],
    [
      "git restore --source=origin/master a.py",
      "names what was fetched from a remote: origin/master",
    ],
    ["git log @{upstream}", "names what was fetched from a remote: @{upstream}"],
    ["git merge FETCH_HEAD", "names what was fetched from a remote: FETCH_HEAD"],
    ["x=$(git show 9999999cccc) && echo $x", "names a commit that nothing had shown: 9999999cccc"],
    ["git cherry-pick 9abcdef1", "names a commit that nothing had shown: 9abcdef1"],
    ["cat .git/packed-refs", "reads git's own record: .git/packed-refs"],
    ["tail /testbed/.git/logs/HEAD", "reads git's own record: /testbed/.git/logs/HEAD"],
    ["gh pr diff 23824", "asks GitHub: gh pr"],
    [
      "curl -sL https://raw.githubusercontent.com/sympy/sympy/master/setup.py -o x",
      "fetches from raw.githubusercontent.com",
    ],
    ["wget -q codeload.github.com/sympy/sympy/zip/master", "fetches from codeload.github.com"],
    [
      "python - <<'PY'\nfrom urllib.request import urlopen\nprint(urlopen('https://api.github.com/x'))\nPY",
      "fetches from api.github.com",
    ],
    ["pip download sympy==1.12 --no-deps", "gets the project itself from elsewhere: sympy==1.12"],
    ["python3 -m pip install -U SymPy", "gets the project itself from elsewhere: SymPy"],
    [
      "uv pip install 'sympy[dev]>=1.12'",
      "gets the project itself from elsewhere: sympy[dev]>=1.12",
    ],
    [
      "pip install git+https://github.com/sympy/sympy.git@master",
      "gets the project itself from elsewhere: git+https://github.com/sympy/sympy.git@master",
    ],
    ["conda install -y sympy=1.12", "gets the project itself from elsewhere: sympy=1.12"],
  ])("%s", (command, reason) => {
    expect(reasonsOf(command)).toEqual([reason]);
  });

  it.each([
    "git log --oneline -5 -- sympy/core",
    "git log -S'def trace' --all-match --grep=origin",
    "git log --graph --pretty=%h",
    "git diff HEAD~1 -- origin/notes.txt",
    `git show ${base}`,
    `git show ${base.slice(0, 9)}^:a.py`,
    "git show 2222222bbbb",
    "git checkout -b fix",
    "git stash && git show 'stash@{0}' && git checkout 'stash@{0}~1' -- a.py && git stash pop",
    "git branch -a && git tag && git status",
    "git log -n 1000000 1234567",
    "git grep 9999999cccc sympy",
    "git blame -L 3,9 sympy/core/basic.py",
    "git clone . /tmp/copy && git clone /testbed /tmp/other && git clone file:///testbed t",
    "git fetch ../other main",
    "git apply 9999999cccc.patch && git add deadbeef",
    "echo 'git fetch' && grep -rn 'git log --all' docs",
    "pip install -e . && pip install ./sympy '.[test]' && pip install mpmath==1.3 -r sympy/req.txt",
    "pip show sympy && pip index versions sympy",
    "curl -s http://127.0.0.1:8000/sympy && wget https://docs.python.org/3/",
    "python -c 'print(\"see https://github.com/sympy/sympy\")'",
    "cat .git/config && ls .git && cat .gitignore",
    "sed -i 's/origin/upstream/' a.py",
  ])("is not: %s", (command) => {
    expect(reasonsOf(command)).toEqual([]);
  });
});

describe("the peeks of a run", () => {
  it("name step and command, each reason of a command once", () => {
    const command = `git fetch && git fetch origin && git show origin/main # ${"x".repeat(500)}`;
    expect(peeksIn(episode("ls", command))).toEqual([
      {
        step: 2,
        command: `${command.slice(0, 400)}…`,
        reason: "fetches from another repository: git fetch",
      },
      {
        step: 2,
        command: `${command.slice(0, 400)}…`,
        reason: "names what was fetched from a remote: origin/main",
      },
    ]);
  });

  it("hold no commit that a look at HEAD's history, a blame or a commit of its own has shown", () => {
    const events = episode(
      ["git log --oneline -3", "3333333c fix\n4444444d more\n"],
      ["git commit -qam x; git rev-parse HEAD", "5555555eaaaa5555555eaaaa5555555eaaaa5555\n"],
      "git show 3333333c 4444444d~2 && git diff 5555555eaaaa",
    );
    expect(peeksIn(events)).toEqual([]);
  });

  it("hold commits that only a peek or a list of refs has shown", () => {
    const events = episode(
      ["git log --all --oneline", "6666666f the fix\n"],
      ["git for-each-ref", "7777777a commit refs/tags/v2\n"],
      "git show 6666666f",
      "git show 7777777a",
    );
    expect(peeksIn(events).map(({ step, reason }) => [step, reason.slice(0, 14)])).toEqual([
      [1, "walks history "],
      [3, "names a commit"],
      [4, "names a commit"],
    ]);
  });

  it("know the project by the instance alone", () => {
    const [begin, ...rest] = episode("pip install sympy", "git fetch");
    const own = { ...begin, instanceId: null } as EpisodeEvent;
    expect(peeksIn([own, ...rest]).map(({ step }) => step)).toEqual([2]);
  });

  it("are bounded, whatever the commands", () => {
    expect(peeksIn(episode(...Array.from({ length: 250 }, () => "git fetch")))).toHaveLength(200);
    const words = fc.constantFrom(
      "git",
      "pip",
      "log",
      "--all",
      "-c",
      "$(",
      "'",
      "origin/x",
      "@{",
      "|",
    );
    const command = fc.array(fc.oneof(words, fc.string()), { maxLength: 8 });
    fc.assert(
      fc.property(command, (parts) => {
        for (const peek of peeksIn(episode(parts.join(" ")))) expect(peek.step).toBe(1);
      }),
    );
  });
});
