/** What the instructor may ask the assistant for, each with tools of its own (SWE-Exp, 3.4.2). */
export const instructionTypes = ["search", "view", "modify", "finish"] as const;
export type InstructionType = (typeof instructionTypes)[number];

/** What the instructor wants done next. */
export interface Instruction {
  readonly thoughts: string;
  readonly instructions: string;
  readonly context: string;
  readonly type: InstructionType;
}

/** A tool call of the assistant's. */
export interface SearchAction {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Lines of a file that the model has seen, both ends included. */
export interface Span {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** A judgement of a step: `value` from -100 to 100; `feedback` is meant for another attempt. */
export interface Reward {
  readonly value: number;
  readonly explanation: string;
  readonly feedback: string;
}

/** A node as it is recorded once its action was carried out. */
export interface NodeRecord {
  /** How many nodes there were before; the root is 0. */
  readonly id: number;
  readonly parent: number;
  /** null: the instructor could not be understood. */
  readonly instruction: Instruction | null;
  /** null: the assistant called no tool. */
  readonly action: SearchAction | null;
  readonly observation: string;
  /** The action failed in a way that another try can mend. */
  readonly expectsCorrection: boolean;
  /** What of the code the observation shows. */
  readonly seen: readonly Span[];
  /** The repository after the action, as a patch against the run's base. */
  readonly diff: string;
  readonly terminal: boolean;
  /** The action was to finish. */
  readonly finished: boolean;
  /** A sibling did the same, so it was not carried out. */
  readonly duplicate: boolean;
  readonly error: string | null;
}

export interface SearchNode extends Omit<NodeRecord, "parent"> {
  readonly parent: number | null;
  readonly children: readonly number[];
  readonly depth: number;
  readonly visits: number;
  /** Sum of the rewards of this node and all below it. */
  readonly value: number;
  readonly reward: Reward | null;
}

/** All nodes of a search; a node stands at its id. */
export type SearchTree = readonly SearchNode[];

/** A search before its first step. */
export function plant(rootReward: number): SearchTree {
  return [
    {
      id: 0,
      parent: null,
      instruction: null,
      action: null,
      observation: "",
      expectsCorrection: false,
      seen: [],
      diff: "",
      terminal: false,
      finished: false,
      duplicate: false,
      error: null,
      children: [],
      depth: 0,
      visits: 0,
      value: 0,
      reward: { value: rootReward, explanation: "", feedback: "" },
    },
  ];
}

/** The tree with one node more. A record that fits nowhere changes nothing. */
function addNode(tree: SearchTree, record: NodeRecord): SearchTree {
  const parent = tree[record.parent];
  if (parent === undefined || record.id !== tree.length) return tree;
  const fresh = { children: [], visits: 0, value: 0, reward: null };
  const node: SearchNode = { ...record, ...fresh, depth: parent.depth + 1 };
  const grown = tree.map((one) =>
    one === parent ? { ...one, children: [...one.children, record.id] } : one,
  );
  return [...grown, node];
}

/** Backpropagation: from the node to the root each counts a visit and the reward's value. */
function addReward(tree: SearchTree, id: number, reward: Reward): SearchTree {
  const path = new Set(pathTo(tree, id).map((node) => node.id));
  return tree.map((node) => {
    if (!path.has(node.id)) return node;
    const counted = { ...node, visits: node.visits + 1, value: node.value + reward.value };
    return node.id === id ? { ...counted, reward } : counted;
  });
}

/** The nodes from the root to this one. */
export function pathTo(tree: SearchTree, id: number): readonly SearchNode[] {
  const path: SearchNode[] = [];
  for (let node = tree[id]; node !== undefined; node = tree[node.parent ?? -1]) path.push(node);
  return path.reverse();
}

/** Mean of value/visits over the nodes from the root to this one; one without visits counts 0. */
export function meanTrajectoryReward(tree: SearchTree, id: number): number {
  const path = pathTo(tree, id);
  const sum = path.reduce(
    (total, { value, visits }) => total + (visits > 0 ? value / visits : 0),
    0,
  );
  return path.length === 0 ? 0 : sum / path.length;
}

/** What a search records: a node, what it was judged to be worth, and which one was chosen. */
export type SearchEvent =
  | ({ readonly type: "node"; readonly step: number } & NodeRecord)
  | ({ readonly type: "reward"; readonly step: number; readonly node: number } & Reward)
  | {
      readonly type: "choice";
      readonly step: number;
      readonly node: number;
      readonly by: "only" | "debate" | "mean reward";
      readonly reason: string;
    };

/** The tree after an event. */
export function growTree(tree: SearchTree, event: SearchEvent): SearchTree {
  if (event.type === "node") {
    const { type: _, step: __, ...record } = event;
    return addNode(tree, record);
  }
  if (event.type === "choice") return tree;
  const { value, explanation, feedback } = event;
  return addReward(tree, event.node, { value, explanation, feedback });
}

/** A search as far as it got. */
export interface SearchState {
  readonly tree: SearchTree;
  /** null: it is not over. */
  readonly choice: Extract<SearchEvent, { type: "choice" }> | null;
}

/**
 * The search that a run's events tell of; null: there was none. The root's own reward is a setting
 * and no event, so it is 0 here.
 */
export function searchIn(events: readonly { readonly type: string }[]): SearchState | null {
  const told = events.filter(isOfSearch);
  if (told.length === 0) return null;
  const choice = told.findLast((event) => event.type === "choice") ?? null;
  return { tree: told.reduce(growTree, plant(0)), choice };
}

const isOfSearch = (event: { readonly type: string }): event is SearchEvent =>
  event.type === "node" || event.type === "reward" || event.type === "choice";
