import { phaseChart } from "../../statecharts/phase.ts";

type Node = typeof phaseChart.root;
type Arrow = Node["always"] extends infer A
  ? NonNullable<A> extends (infer T)[]
    ? T
    : never
  : never;

/** The chart as a Mermaid state diagram, every arrow with its event and guard. */
export function drawing(): string {
  const { root } = phaseChart;
  const lines = [...linesInside(root, "  "), ...arrowsOf(root).map((arrow) => `  ${arrow}`)];
  return `stateDiagram-v2\n${lines.join("\n")}\n`;
}

function linesInside(node: Node, indent: string): string[] {
  const children: Node[] = Object.values(node.states);
  return [
    ...(node.initial.target ?? []).map(({ key }) => `${indent}[*] --> ${key}`),
    ...children.flatMap((child) => [
      ...nested(child, indent),
      ...arrowsOf(child).map((arrow) => indent + arrow),
    ]),
  ];
}

function nested(node: Node, indent: string): string[] {
  if (node.type !== "compound") return [];
  return [`${indent}state ${node.key} {`, ...linesInside(node, `${indent}  `), `${indent}}`];
}

function arrowsOf(node: Node): string[] {
  const onEvent = [...node.transitions].flatMap(([event, arrows]) =>
    arrows.map((arrow) => line(node, `${event} `, arrow)),
  );
  return [...onEvent, ...(node.always ?? []).map((arrow) => line(node, "", arrow))];
}

/** `any` stands for every state, where the arrow leaves the chart as a whole. */
function line(source: Node, event: string, { guard, target }: Arrow): string {
  const from = source.parent === undefined ? "any" : source.key;
  const to = target?.[0]?.key ?? source.key;
  return `${from} --> ${to} : ${event}${guard === undefined ? "" : `[${guardName(guard)}]`}`.trimEnd();
}

function guardName(guard: unknown): string {
  if (typeof guard === "string") return guard;
  return typeof guard === "object" && guard !== null && "type" in guard ? String(guard.type) : "?";
}
