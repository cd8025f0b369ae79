import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readTrajectories } from "../../src/trajectories/read-trajectories.ts";
import { advanceAll, episodeView } from "../../src/viewer/episode-view.ts";
import { exportedComparison, exportedEpisode } from "../../src/viewer/export.ts";
import { foreignRecording } from "../../src/viewer/foreign-recording.ts";
import { enter, openPage, type Watched } from "./browser.ts";
import { assets, hasChromium } from "./chromium.ts";
import { fullConfig } from "./recordings.ts";
import { libraryOf, served } from "./served.ts";

/** What each field of the trajectory tries; `owned` would show that a script ran. */
const attacks = [
  "<script>globalThis.owned = 1</script>",
  "</script><script>globalThis.owned = 1</script>",
  "</pre></details></article><img src=x onerror='globalThis.owned=1'>",
  '"><svg onload="globalThis.owned=1">',
  "</template><iframe srcdoc='<script>parent.owned=1</script>'></iframe>",
  "javascript:globalThis.owned=1",
  "</style><style>*{display:none}</style>",
  "</title><base href='https://evil.example/'>",
  "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
  "{{globalThis.owned = 1}} <!-- --> ]]> `",
  "../../../../etc/passwd",
  "\u0000\u001b[31mred\u001b]8;;https://evil.example/\u0007link\u001b]8;;\u0007\u202etxt.exe",
] as const;

const all = attacks.join("\n");

/** A mini-swe-agent file with an attack in every field that a page could show. */
function hostileFile(): string {
  const assistant = (thought: string, command: string) => ({
    role: "assistant",
    content: `${thought}\n\n\`\`\`bash\n${command}\n\`\`\``,
  });
  const observation = (output: string) => ({
    role: "user",
    content: `<returncode>0</returncode>\n<output>\n${output}\n</output>`,
  });
  const turns = attacks.flatMap((attack) => [
    assistant(`THOUGHT: ${attack}`, `cat "${attack.replaceAll("\n", " ")}.py" # ${attack}`),
    observation(`${attack}\n${"A".repeat(200_000)}${attack}`),
  ]);
  return JSON.stringify({
    trajectory_format: "mini-swe-agent-1",
    instance_id: attacks[0],
    info: {
      exit_status: attacks[2],
      submission: all,
      config: { model: { model_name: attacks[3] } },
    },
    messages: [
      { role: "system", content: all },
      { role: "user", content: `<pr_description>\n${all}\n</pr_description>` },
      ...turns,
      assistant(all, `cat > '${attacks[1]}.py' <<'EOF'\n${all}\nEOF`),
      observation(all),
      { role: "assistant", content: `no call ${all}` },
      { role: "user", content: all },
    ],
  });
}

const episodes = readTrajectories(hostileFile(), `${attacks[3]}.traj.json`);

async function expectHarmless({ page, faults, requests }: Watched, own: string): Promise<void> {
  await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true");
  await page.waitForTimeout(150);
  expect(await page.evaluate("globalThis.owned")).toBeUndefined();
  expect(
    await page.evaluate(
      "document.querySelectorAll('main script, iframe, img, base, main style, [onerror], [onload]').length",
    ),
  ).toBe(0);
  expect(
    await page.evaluate(
      "[...document.links].map((link) => link.protocol).filter((p) => !/^(http|file):$/.test(p))",
    ),
  ).toEqual([]);
  expect(requests.filter((url) => !url.startsWith(own))).toEqual([]);
  expect(faults).toEqual([]);
}

describe.runIf(hasChromium)("a hostile trajectory", () => {
  it("runs nothing and leads nowhere on any page of the viewer", { timeout: 120_000 }, async () => {
    const viewer = await served(
      libraryOf({ [`${attacks[3]}.json`]: episodes, [attacks[1]]: episodes }),
    );
    const { origin } = new URL(viewer.urlOf("/"));
    const watched = await openPage();
    const { page } = watched;
    await enter(page, viewer.urlOf("/"));
    await expectHarmless(watched, origin);
    for (const path of ["/episode/t0-0", "/compare?with=t0-0", "/compare?with=t0-0&with=t1-0"]) {
      await page.goto(`${origin}${path}`);
      await page.locator("main h1").waitFor();
      await expectHarmless(watched, origin);
    }
    await page.goto(
      `${origin}/?text=${encodeURIComponent(attacks[3])}&arm=${encodeURIComponent(attacks[0])}`,
    );
    await expectHarmless(watched, origin);
    expect(await page.getByLabel("Text").inputValue()).toBe(attacks[3]);
  });

  it("shows what it says, to the letter", async () => {
    const viewer = await served(libraryOf({ "a.json": episodes }));
    const { page } = await openPage();
    await enter(page, viewer.urlOf("/episode/t0-0"));
    await page.locator("h1").waitFor();
    expect(await page.locator("h1").textContent()).toContain(attacks[0]);
    expect(await page.locator("#step-1 .thought").textContent()).toContain(attacks[0]);
    const last = await page.locator(`#step-${attacks.length} .thought`).textContent();
    expect(last).toContain("\u2400red\u241b]8;;https://evil.example/\u2407link");
    expect(last).toContain("<U+202E>txt.exe");
  });

  it("runs nothing as an exported file, and asks for nothing", { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "pmcoder-hostile-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [episode] = episodes;
    if (episode === undefined) throw new Error("no episode");
    const recording = foreignRecording(episode, fullConfig);
    const view = episodeView(recording, advanceAll(recording));
    const pages = {
      "one.html": exportedEpisode(view, assets),
      "two.html": exportedComparison(view, view, assets),
    };
    for (const [name, text] of Object.entries(pages)) {
      const file = join(folder, name);
      writeFileSync(file, text);
      const watched = await openPage({ offline: true });
      await watched.page.goto(`file://${file}`);
      await expectHarmless(watched, `file://${file}`);
      expect(watched.requests).toHaveLength(1);
    }
  });
});
