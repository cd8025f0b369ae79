import Parser, { type SyntaxNode } from "tree-sitter";
import python from "tree-sitter-python";

/** The line, from 1, of the first error that the syntax tree of Python source shows, or null. */
export function firstError(source: string): number | null {
  const parser = new Parser();
  // The grammar's own typings leave the native handle unknown.
  parser.setLanguage(python as Parser.Language);
  let node: SyntaxNode | null = parser.parse((offset: number) =>
    source.slice(offset, offset + 16_384),
  ).rootNode;
  if (!node.hasError) return null;
  for (let inner: SyntaxNode | undefined = node; inner; ) {
    node = inner;
    if (node.isError || node.isMissing) break;
    inner = node.children.find((child) => child.hasError || child.isMissing);
  }
  return node.startPosition.row + 1;
}
