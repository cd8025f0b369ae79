const sourceName =
  /\.(?:py|pyx|pxd|pyi|js|jsx|mjs|cjs|ts|tsx|mts|vue|svelte|c|cc|cpp|cxx|h|hh|hpp|rs|go|java|kt|scala|rb|php|cs|swift|m|jl|lua|r|pl|sh|ex|exs|clj|hs|ml)$/i;
const testFolder = /(?:^|\/)(?:tests?|__tests__|spec)\/|^testing\//;
const testName =
  /(?:^|\/)(?:test_[^/]*|tests?\.[^/.]+|[^/]*[_.-](?:test|spec)s?\.[^/.]+|conftest\.py)$/;

/** Code by its name. */
export const isCode = (path: string) => sourceName.test(path);

/** A test by its name or folder; `testing/` is one at the top alone, for packages have that name too. */
export const isTest = (path: string) => testFolder.test(path) || testName.test(path);

export const isSource = (path: string) => isCode(path) && !isTest(path);

export const baseNameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** `a/b/c.py` is `a/b/c`, and a package's `a/b/__init__.py` is `a/b`. */
export const moduleOf = (path: string) =>
  path.replace(/\.[^/.]+$/, "").replace(/\/(?:__init__|index|mod)$/, "");
