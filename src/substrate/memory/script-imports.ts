// biome-ignore lint/style/noRestrictedImports: the parser is as pure as ever; it takes longer to load than all the rest, so whoever reads no JavaScript does without.
import { createRequire } from "node:module";

type Parser = typeof import("@babel/parser");
type Statement = ReturnType<Parser["parse"]>["program"]["body"][number];

const require = createRequire(import.meta.url);

/**
 * The specifiers that JavaScript or TypeScript source imports, as written. Read off the syntax
 * tree; calls of `require` and `import`, and source that does not parse because it is an excerpt,
 * by a pattern.
 */
export function scriptImports(source: string): readonly string[] {
  return [...new Set([...importStatements(source), ...importCalls(source)])];
}

function importStatements(source: string): readonly string[] {
  const { parse }: Parser = require("@babel/parser");
  try {
    const { program } = parse(source, {
      sourceType: "module",
      plugins: ["typescript", "jsx"],
      errorRecovery: true,
      allowReturnOutsideFunction: true,
    });
    return program.body.flatMap(specifierOf);
  } catch {
    return matches(source, /^[ \t]*(?:import|export)\b[^"'`;]*?["']([^"']+)["']/gm);
  }
}

function specifierOf(statement: Statement): readonly string[] {
  switch (statement.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
      return [statement.source.value];
    case "ExportNamedDeclaration":
      return statement.source ? [statement.source.value] : [];
    default:
      return [];
  }
}

function importCalls(source: string): readonly string[] {
  return matches(source, /\b(?:require|import)\s*\(\s*["']([^"']+)["']\s*\)/g);
}

function matches(source: string, pattern: RegExp): readonly string[] {
  return [...source.matchAll(pattern)].map(([, specifier]) => specifier ?? "");
}
