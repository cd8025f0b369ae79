/** Longer is no path (PATH_MAX of Linux). */
const maxPath = 4096;

/**
 * The path that `value` names for a command in folder `cwd`: relative to `root` inside it (`.` for
 * the root itself), else absolute; `~` stays, being outside. null: no path, or `cwd` is unknown.
 */
export function resolvePath(root: string, cwd: string | null, value: string): string | null {
  if (value === "" || value.length > maxPath || value.includes("://")) return null;
  if (value.startsWith("~")) return value;
  if (!value.startsWith("/") && cwd === null) return null;
  const absolute = fold(value.startsWith("/") ? value : `${cwd}/${value}`);
  const base = fold(root);
  if (absolute === base) return ".";
  const prefix = base === "/" ? "/" : `${base}/`;
  return absolute.startsWith(prefix) ? absolute.slice(prefix.length) : absolute;
}

/** The absolute path of what `resolvePath` gave; a home folder gets a name of its own. */
export function absolutePath(root: string, path: string): string {
  if (path.startsWith("~")) return `/${path}`;
  return path.startsWith("/") ? path : fold(`${root}/${path}`);
}

export function isExternal(path: string): boolean {
  return path.startsWith("/") || path.startsWith("~");
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Whether a path matches a glob: `*` and `?` never pass a slash, a bracket group stands for any one
 * character. Time is bounded by the product of the two lengths, which a regex would not promise.
 */
export function matchesGlob(path: string, glob: string): boolean {
  const parts = glob.match(/\[[^\]]*\]|[\s\S]/g) ?? [];
  let at = 0;
  let part = 0;
  /** The last `*` passed, and the place in the path from which it is tried again. */
  let star = -1;
  let resume = 0;
  while (at < path.length) {
    if (parts[part] === "*") {
      star = part++;
      resume = at;
    } else if (matchesOne(path[at] ?? "", parts[part])) {
      at++;
      part++;
    } else if (star === -1 || path[resume] === "/") return false;
    else {
      at = ++resume;
      part = star + 1;
    }
  }
  return parts.slice(part).every((rest) => rest === "*");
}

function matchesOne(character: string, part: string | undefined): boolean {
  if (part === undefined) return false;
  return part === character || (character !== "/" && (part === "?" || part.length > 1));
}

/** A glob at the root that is named like scratch files. */
export function isScratchGlob(glob: string): boolean {
  const name = glob.replace(/[*?]+|\[[^\]]*\]/g, "_");
  return !glob.includes("/") && (scratchName.test(name) || scratchExtension.test(name));
}

/** The first part of a path; of a path without folders itself. */
export function topFolder(path: string): string {
  return path.split("/", 1)[0] ?? path;
}

/** Removes empty, `.` and `..` parts of an absolute path. */
function fold(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

const sourceExtension =
  /\.(?:py|pyi|pyx|js|mjs|cjs|ts|tsx|jsx|c|h|cc|cpp|hpp|java|go|rs|rb|php|sh|rst|md|toml|cfg|ini|json|ya?ml|txt|html|css|xml)$/;

/** Whether a word that need not be a path looks like one. */
export function looksLikePath(value: string): boolean {
  return value.includes("/") || sourceExtension.test(value);
}

const scratchName =
  /^(?:repro\w*|reproduce\w*|test_\w*|debug\w*|check\w*|verify\w*|demo\w*|example\w*|script\w*|tmp\w*|issue\w*|bug\w*|simple\w*|minimal\w*|final\w*)\.\w+$/;
const scratchExtension = /\.(?:diff|patch|log|bak|orig|txt)$/;

/**
 * Whether a file is scratch while an agent works: outside the repository, or untracked and either
 * at its root, in a top folder that holds nothing tracked, or named like a probe. Wider than what
 * a patch leaves out. Our choice: agents are told to write a reproduction early, and counting that
 * as implementing would jump a phase.
 */
export function isScratchWork(path: string, isTracked: boolean, isTopTracked: boolean): boolean {
  if (isExternal(path)) return true;
  if (isTracked) return false;
  if (!path.includes("/") || !isTopTracked) return true;
  return scratchName.test(baseName(path)) || scratchExtension.test(path);
}
