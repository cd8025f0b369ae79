import type { PlainCall } from "../../substrate/shell/calls.ts";

/** Where projects publish their source, and those who mirror it. */
const codeHosts =
  /(?:^|\.)(?:github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|codeberg\.org|sr\.ht|sourceforge\.net|pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|jsdelivr\.net|unpkg\.com|sourcegraph\.com|grep\.app|debian\.org|archive\.org|softwareheritage\.org)$/;

const downloaders = new Set(["curl", "wget", "aria2c", "http", "https", "lynx", "w3m", "links"]);
const runtimes = /^(?:i?python|pypy|node|deno|ruby|perl|php)[\d.]*$/;
/** What a program's text calls to get a page. */
const fetching =
  /urlopen|urlretrieve|requests?\.|httpx|aiohttp|http\.client|fetch\(|LWP|Net::HTTP|https?\.get|open-uri/;

/** The first of these texts' addresses that is a code host's. */
function codeHostIn(texts: readonly string[], needsScheme: boolean): string | null {
  const address = needsScheme
    ? /https?:\/\/([\w.-]+)/g
    : /(?:https?:\/\/|^)([\w.-]+\.\w+)(?=[/:]|$)/g;
  const hosts = texts.flatMap((text) => [...text.matchAll(address)].map((match) => match[1] ?? ""));
  return hosts.find((host) => codeHosts.test(host.toLowerCase())) ?? null;
}

/** What a call fetched of upstream code, `project` being the project itself. Null: nothing. */
export function networkPeek({ words, input }: PlainCall, project: string | null): string | null {
  const [head = "", ...args] = words;
  if (head === "gh" && args.length > 0) return `asks GitHub: gh ${args[0]}`;
  if (downloaders.has(head)) return fetched(codeHostIn(args, false));
  const install = project === null ? null : installPeek(words, project);
  if (install !== null) return install;
  const code = [...args, input ?? ""];
  if (!runtimes.test(head) || !code.some((text) => fetching.test(text))) return null;
  return fetched(codeHostIn(code, true));
}

const fetched = (host: string | null) => (host === null ? null : `fetches from ${host}`);

const installers = /^(?:pip[\d.]*|pipx|uv|conda|mamba|micromamba|easy_install|npm|pnpm|yarn|bun)$/;
const verbs = new Set(["install", "download", "wheel", "add", "i", "pack", "view", "create"]);

/** The project itself, from an index or a repository; the folder at hand is none of these. */
function installPeek(words: readonly string[], project: string): string | null {
  const isModule = runtimes.test(words[0] ?? "") && words[1] === "-m";
  const [head = "", ...args] = isModule ? words.slice(2) : words;
  if (!installers.test(head)) return null;
  const verb = head === "easy_install" ? 0 : args.findIndex((arg) => verbs.has(arg)) + 1;
  if (verb === 0 && head !== "easy_install") return null;
  const wanted = args.slice(verb).find((arg) => isProject(arg, project));
  return wanted === undefined ? null : `gets the project itself from elsewhere: ${wanted}`;
}

/** PEP 503's spelling, in which names are the same name. */
const spelled = (name: string) => name.toLowerCase().replaceAll(/[-_.]+/g, "-");

function isProject(arg: string, project: string): boolean {
  if (arg.startsWith("-")) return false;
  const address = /^(?:git\+)?(?:https?|ssh|git):\/\/(\S+)/.exec(arg)?.[1];
  const parts =
    address === undefined
      ? [/^@?([\w.-]+(?:\/[\w.-]+)?)(?:\[|[=<>!~@ ]|$)/.exec(arg)?.[1] ?? ""]
      : address.split(/[/@#?]/).map((part) => part.replace(/\.git$/, ""));
  return parts.some((part) => spelled(part) === spelled(project));
}
