import type { SweExpSearchConfig } from "../../domain/config/swe-exp-search.ts";
import {
  growTree,
  pathTo,
  plant,
  type SearchEvent,
  type SearchNode,
  type SearchTree,
} from "../../domain/search-tree.ts";
import { askUntilRead } from "../../experience/ask-until-read.ts";
import { AdaptedExperience, comprehensionQuestion } from "../../experience/swe-exp/reuse.ts";
import type { Overlay } from "../edits.ts";
import type { Workflow } from "../solve-by.ts";
import type { WorkflowRun } from "../workflow-run.ts";
import { debate, type Verdict } from "./debate.ts";
import { type Expansion, expand, sayFor } from "./expand.ts";
import { historyText } from "./history.ts";
import { RewardReply, valueQuestion } from "./judge.ts";
import { bestByMean, candidates, searchEnd, selectNode } from "./select.ts";
import { Workspace } from "./workspace.ts";

/** An event as the search makes it; which call it belongs to is added. */
type Fresh = SearchEvent extends infer One
  ? One extends SearchEvent
    ? Omit<One, "step">
    : never
  : never;

/**
 * SWE-Exp's search (arXiv:2507.23361): select a node, expand it, carry out its action on the
 * repository as that node has it, judge it, and count the judgement up to the root, until the tree
 * is full or enough paths came to a finish; then choose one.
 */
export const sweExpSearch: Workflow = (run) => new Search(run).run();

class Search {
  readonly #run: WorkflowRun;
  readonly #rules: SweExpSearchConfig;
  readonly #workspace: Workspace;
  readonly #overlays: Overlay[] = [new Map()];
  #tree: SearchTree;
  #lessons: Promise<string> | null = null;

  constructor(run: WorkflowRun) {
    this.#run = run;
    this.#rules = run.config.workflow.sweExp;
    this.#workspace = new Workspace(run);
    this.#tree = plant(this.#rules.rootReward);
  }

  async run(): Promise<string> {
    const { maxNodes, maxFinished } = this.#rules;
    await this.#run.enter(
      "search",
      `Searching a tree of up to ${maxNodes} nodes for ${maxFinished} paths to a finish.`,
    );
    const expansion = await this.#prepare();
    let end = searchEnd(this.#tree, this.#rules);
    while (end === null) {
      const node = selectNode(this.#tree, this.#rules);
      if (node !== null) await this.#grow(expansion, node);
      end = searchEnd(this.#tree, this.#rules);
    }
    await this.#run.enter("choose", `The search is over: ${end}.`);
    return this.#choose();
  }

  /** Recalls how such an issue was understood, once, and fits that to this one. */
  async #prepare(): Promise<Expansion> {
    const run = this.#run;
    const recalled = await run.recall({ phase: "explore", refining: false, failure: null });
    const base = { run, rules: this.#rules, workspace: this.#workspace };
    const lessons = () => this.#recallLessons();
    if (recalled === "") return { ...base, background: "", lessons };
    const say = sayFor(base, "reuse", this.#rules.agentTemperature);
    const question = comprehensionQuestion(run.issue, recalled);
    const read = await askUntilRead(say, question, AdaptedExperience, this.#rules.tries);
    return { ...base, background: read.ok ? read.value.new_experience : recalled, lessons };
  }

  #recallLessons(): Promise<string> {
    this.#lessons ??= this.#run.recall({ phase: "implement", refining: false, failure: null });
    return this.#lessons;
  }

  async #grow(expansion: Expansion, parent: SearchNode): Promise<void> {
    const overlay = this.#overlays[parent.id] ?? new Map();
    const { record, overlay: next } = await expand(expansion, this.#tree, parent, overlay);
    this.#overlays[record.id] = next;
    await this.#tell({ type: "node", ...record });
    if (!record.duplicate && record.error === null) await this.#judge(record.id);
    this.#run.proposal = this.#bestSoFar()?.diff ?? "";
  }

  /** A judgement that cannot be read leaves the node without a reward. */
  async #judge(id: number): Promise<void> {
    const path = pathTo(this.#tree, id);
    const node = path.at(-1);
    if (node === undefined) return;
    const { valueTemperature, tries, observationChars } = this.#rules;
    const before = historyText(path.slice(0, -1), this.#rules);
    const question = valueQuestion(this.#run.issue, before, node, observationChars);
    const say = sayFor({ run: this.#run }, "value", valueTemperature);
    const read = await askUntilRead(say, question, RewardReply, tries);
    if (read.ok) await this.#tell({ type: "reward", node: id, ...read.value });
  }

  #bestSoFar(): SearchNode | null {
    return bestByMean(this.#tree, candidates(this.#tree));
  }

  async #choose(): Promise<string> {
    const among = candidates(this.#tree);
    const verdict = await this.#verdict(among);
    const chosen = this.#tree[verdict.choice];
    const { choice, by, reason } = verdict;
    await this.#tell({ type: "choice", node: choice, by, reason });
    return chosen?.diff ?? "";
  }

  async #verdict(
    among: readonly SearchNode[],
  ): Promise<Verdict | (Omit<Verdict, "by"> & { by: "only" })> {
    const [first] = among;
    if (among.length <= 1) return { by: "only", choice: first?.id ?? 0, reason: "" };
    const { discriminator, debateTemperature } = this.#rules;
    if (discriminator && among.every(({ finished }) => finished)) {
      const say = sayFor({ run: this.#run }, "select", debateTemperature);
      return debate(say, this.#run.issue, this.#tree, among, this.#rules);
    }
    const choice = this.#bestSoFar()?.id ?? 0;
    return { by: "mean reward", choice, reason: "the best mean reward of a path" };
  }

  async #tell(fresh: Fresh): Promise<void> {
    const event = { ...fresh, step: this.#run.steps };
    this.#tree = growTree(this.#tree, event);
    await this.#run.tell(event);
  }
}
