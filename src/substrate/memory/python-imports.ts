import Parser, { type SyntaxNode } from "tree-sitter";
import python from "tree-sitter-python";

/** The grammar's own typings leave the native handle unknown. */
const Python = python as Parser.Language;

/**
 * The modules that Python source imports, dotted as written (`a.b`, `..k`, `.`): for
 * `from a.b import c` both `a.b` and `a.b.c`, because `c` may be a module; for `import a.b.c` also
 * the package `a.b`. Read off the syntax tree; where the tree holds errors, as it does for most
 * excerpts, a line pattern adds what the tree lost (arXiv:2608.06811, III-C).
 */
export function pythonImports(source: string): readonly string[] {
  const parser = new Parser();
  parser.setLanguage(Python);
  const root = parser.parse(source).rootNode;
  const modules = root
    .descendantsOfType(["import_statement", "import_from_statement"])
    .flatMap(modulesOf);
  return [...new Set(root.hasError ? [...modules, ...importLines(source)] : modules)];
}

function modulesOf(statement: SyntaxNode): readonly string[] {
  const names = statement.childrenForFieldName("name").map(dottedName);
  const from = statement.childForFieldName("module_name");
  return from === null ? names.flatMap(withPackage) : membersOf(from.text, names);
}

/** `x.y` of both `x.y` and `x.y as z`. */
function dottedName(node: SyntaxNode): string {
  return (node.childForFieldName("name") ?? node).text;
}

function importLines(source: string): readonly string[] {
  const pattern =
    /^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+\(?([\w, \t]*)|import[ \t]+([\w.]+))/gm;
  return [...source.matchAll(pattern)].flatMap(([, from, names = "", module]) =>
    from === undefined
      ? withPackage(module ?? "")
      : membersOf(
          from,
          names.split(",").map((name) => name.trim().split(/\s/)[0] ?? ""),
        ),
  );
}

function withPackage(module: string): readonly string[] {
  const dot = module.lastIndexOf(".");
  return dot < 0 ? [module] : [module, module.slice(0, dot)];
}

function membersOf(module: string, names: readonly string[]): readonly string[] {
  const prefix = module.endsWith(".") ? module : `${module}.`;
  return [module, ...names.filter((name) => name !== "").map((name) => prefix + name)];
}
