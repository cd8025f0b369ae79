import type { ParserOptions } from "@babel/parser";
import type { Environment } from "../../domain/environment.ts";
import { fileText } from "./file-text.ts";
import type { Parse } from "./parse.ts";

/** Characters. Our choice: a larger file is generated, and parsing it would hold the run up. */
const maxLength = 1024 * 1024;

/** Parses a JavaScript or TypeScript file of the environment. */
export async function parseScript(environment: Environment, path: string): Promise<Parse> {
  const text = await fileText(environment, path);
  if (text === null) return { state: "gone" };
  if (text.length > maxLength) return { state: "unknown" };
  const { parse } = await import("@babel/parser");
  try {
    parse(text, optionsFor(path));
    return { state: "whole" };
  } catch (error) {
    if (!(error instanceof SyntaxError)) return { state: "unknown" };
    return { state: "broken", ...placeOf(error) };
  }
}

/** Lenient where engines, bundlers and frameworks differ; strict where none takes the text. */
function optionsFor(path: string): ParserOptions {
  const isTyped = /\.(?:[cm]?ts|tsx)$/.test(path);
  const dts = /\.d\.[cm]?ts$/.test(path);
  const hasElements = !isTyped || path.endsWith("x");
  return {
    sourceType: "unambiguous",
    allowAwaitOutsideFunction: true,
    allowImportExportEverywhere: true,
    allowNewTargetOutsideFunction: true,
    allowReturnOutsideFunction: true,
    allowSuperOutsideMethod: true,
    allowUndeclaredExports: true,
    plugins: [
      isTyped ? ["typescript", { dts }] : "flow",
      ...(hasElements ? (["jsx"] as const) : []),
      "decorators-legacy",
      "decoratorAutoAccessors",
    ],
  };
}

/** `Unexpected token (3:14)` and the place that the error carries. */
function placeOf(error: SyntaxError): { readonly line: number | null; readonly message: string } {
  const place: unknown = Reflect.get(error, "loc");
  const line = place instanceof Object ? Number(Reflect.get(place, "line")) || null : null;
  return { line, message: `SyntaxError: ${error.message.replace(/ ?\(\d+:\d+\)$/, "")}` };
}
