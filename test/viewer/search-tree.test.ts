import { describe, expect, it } from "vitest";
import type { EpisodeEvent } from "../../src/domain/episode.ts";
import { episodeMain } from "../../src/viewer/episode-page.ts";
import { beginProgress, episodeView } from "../../src/viewer/episode-view.ts";
import { SentPage } from "../../src/viewer/page-parts.ts";
import { searchTreeHtml } from "../../src/viewer/search-tree-html.ts";
import { beginEvent, promptEvent } from "../trajectories/recorded-episode.ts";
import { plain } from "../workflows/swe-exp/grown.ts";
import { recordingOf } from "./recordings.ts";

const layout = { prefix: "", cap: 1000, reasons: 0, advised: false, whole: null };
const diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+<b>\n";
const wanted = { thoughts: "", instructions: "change <x>", context: "", type: "modify" } as const;
const edit = { tool: "StringReplace", input: { path: "x" } };
const judged = (node: number, value: number): EpisodeEvent => ({
  type: "reward",
  step: 3,
  node,
  value,
  explanation: "right place",
  feedback: "look wider",
});

const events: readonly EpisodeEvent[] = [
  beginEvent("20261130-142501-ab12"),
  promptEvent,
  { type: "node", step: 2, ...plain, id: 1, parent: 0, instruction: wanted, action: edit, diff },
  judged(1, 70),
  { type: "node", step: 4, ...plain, id: 2, parent: 1, action: edit, duplicate: true },
  { type: "node", step: 6, ...plain, id: 3, parent: 1, finished: true, terminal: true },
  judged(3, 90),
  { type: "choice", step: 7, node: 3, by: "only", reason: "" },
];

const viewAt = (count: number) => {
  const recording = recordingOf(events.slice(0, count));
  return episodeView(recording, beginProgress(recording));
};

describe("the tree of a search", () => {
  it("is nested lists with scores, each node opening what it did", () => {
    const { search } = viewAt(events.length).recording;
    const { text } = searchTreeHtml(search, 1000);
    expect(text.replaceAll(/<dl>.*?<\/dl>/gs, "…")).toMatchInlineSnapshot(`
      "<section class="tree" id="tree" aria-labelledby="tree-title"><h2 id="tree-title">Search</h2>
      <p class="quiet">3 nodes below the root; node 3 was chosen (the only one)</p>
      <ul><li><details><summary><b>1</b> StringReplace <span class="quiet">reward 70, 2 visits, mean of the path 80.0</span></summary>
      …</details><ul><li><details><summary><b>2</b> StringReplace <span class="quiet">reward none, 0 visits, mean of the path 53.3</span> <span class="kind">duplicate</span></summary>
      …</details></li><li aria-current="true"><details><summary><b>3</b> no action <span class="quiet">reward 90, 1 visit, mean of the path 83.3</span> <span class="kind">chosen</span> <span class="kind">finished</span></summary>
      …</details></li></ul></li></ul></section>"
    `);
    expect(/<dl>.*?<\/dl>/s.exec(text)?.[0]).toMatchInlineSnapshot(`
      "<dl><div><dt>Instruction</dt><dd><pre>modify: change &lt;x&gt;</pre></dd></div><div><dt>Action</dt><dd><pre>{
        &quot;path&quot;: &quot;x&quot;
      }</pre></dd></div><div><dt>Value</dt><dd><pre>70: right place</pre></dd></div><div><dt>Feedback</dt><dd><pre>look wider</pre></dd></div><div><dt>Changes</dt><dd><pre>diff --git a/x b/x
      --- a/x
      +++ b/x
      @@ -1 +1 @@
      -a
      +&lt;b&gt;
      </pre></dd></div></dl>"
    `);
  });

  it("stands on the page of a run that searched, and on no other", () => {
    const page = (count: number) => episodeMain(viewAt(count), layout, null).text;
    expect(page(events.length)).toContain('<h2 id="tree-title">Search</h2>');
    expect(page(2)).toContain('<section id="tree" hidden></section>');
  });

  it("grows while the run goes on", () => {
    const sent = new SentPage(viewAt(3), layout);
    const tree = sent.changes(viewAt(events.length)).find(({ id }) => id === "tree");
    expect(tree?.html).toContain("node 3 was chosen");
    expect(sent.changes(viewAt(events.length)).find(({ id }) => id === "tree")).toBeUndefined();
  });
});
