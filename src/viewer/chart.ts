import { phaseChart } from "../../statecharts/phase.ts";

type Node = typeof phaseChart.root;
type Transition = Node["always"] extends infer All
  ? NonNullable<All> extends (infer One)[]
    ? One
    : never
  : never;

export interface ChartArrow {
  /** null: from every state. */
  readonly from: string | null;
  readonly to: string;
  /** Events and guards that lead along it, such as `STEP [isForward]`. */
  readonly labels: readonly string[];
}

export interface Chart {
  /** In the chart's own order, each with the states inside it. */
  readonly states: readonly { readonly id: string; readonly inner: readonly string[] }[];
  readonly initial: string;
  /** Between two different states; several transitions of one pair are one arrow. */
  readonly arrows: readonly ChartArrow[];
}

/** The planner's statechart as states and arrows, read from the machine that the planner runs. */
export function chartOf(root: Node = phaseChart.root): Chart {
  const nodes: readonly Node[] = Object.values(root.states);
  const arrows = [...arrowsOf(root, null), ...nodes.flatMap((node) => arrowsOf(node, node.key))];
  return {
    states: nodes.map(({ key, states }) => ({ id: key, inner: Object.keys(states) })),
    initial: root.initial.target?.[0]?.key ?? "",
    arrows: merged(arrows),
  };
}

function arrowsOf(node: Node, from: string | null): readonly ChartArrow[] {
  return [...node.transitions].flatMap(([event, transitions]) =>
    transitions.flatMap(({ guard, target }: Transition) => {
      const to = target?.[0]?.key;
      if (to === undefined || to === from) return [];
      const condition = guard === undefined ? "" : ` [${guardName(guard)}]`;
      return [{ from, to, labels: [`${event}${condition}`] }];
    }),
  );
}

function guardName(guard: unknown): string {
  if (typeof guard === "string") return guard;
  return typeof guard === "object" && guard !== null && "type" in guard ? String(guard.type) : "?";
}

function merged(arrows: readonly ChartArrow[]): readonly ChartArrow[] {
  const byEnds = new Map<string, ChartArrow>();
  for (const arrow of arrows) {
    const ends = `${arrow.from ?? ""}>${arrow.to}`;
    const labels = [...(byEnds.get(ends)?.labels ?? []), ...arrow.labels];
    byEnds.set(ends, { ...arrow, labels });
  }
  return [...byEnds.values()];
}
