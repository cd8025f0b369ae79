import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../models/package-root.ts";

export const root = packageRoot(import.meta.url);

/** The version in package.json, the only place that holds it. */
export const version: string = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
