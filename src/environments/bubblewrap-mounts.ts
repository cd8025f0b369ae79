import { lstat, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";

/** In the sandbox: private folders on /run, which also hides the sockets of the host's daemons. */
export const SANDBOX_SPOOL = "/run/pmcoder";
export const SANDBOX_HOME = "/run/home";
export const SANDBOX_RECORDS = "/run/records";

/** What a home directory holds that a command has no business reading. */
const SECRETS = [
  ".ssh",
  ".aws",
  ".azure",
  ".gnupg",
  ".config",
  ".docker",
  ".kube",
  ".password-store",
  ".local/share/keyrings",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".pgpass",
  ".git-credentials",
  ".cargo/credentials",
  ".cargo/credentials.toml",
];

/** Where a toolchain installed in the home directory is found once HOME is another folder. */
const TOOLCHAINS: Readonly<Record<string, string>> = {
  PYENV_ROOT: ".pyenv",
  NVM_DIR: ".nvm",
  RBENV_ROOT: ".rbenv",
  RUSTUP_HOME: ".rustup",
  SDKMAN_DIR: ".sdkman",
  GOMODCACHE: "go/pkg/mod",
  PYTHONUSERBASE: ".local",
};

export interface Hidden {
  readonly path: string;
  readonly kind: "folder" | "file";
}

export interface Sandbox {
  /** The working copy on the host, and the path where commands see it. */
  readonly copy: string;
  readonly at: string;
  readonly spool: string;
  /** Folder on the host for pmcoder's own records, if they are to outlive the sandbox. */
  readonly records?: string | undefined;
  /** Folder on the host for temporary files and HOME, if they are to outlive the sandbox. */
  readonly scratch?: string | undefined;
  readonly hidden: readonly Hidden[];
  readonly network: "on" | "off";
  readonly root: boolean;
}

interface Mount {
  readonly path: string;
  readonly args: readonly string[];
}

/**
 * Namespaces and capabilities. A process of root keeps what a build or a test may need (files of
 * any owner, another user) and loses what opens the host: mounts, devices, tracing.
 */
export function confinement({ network, root }: Pick<Sandbox, "network" | "root">): string[] {
  const capabilities = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID"];
  return [
    ...["--die-with-parent", "--new-session", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
    ...(network === "off" ? ["--unshare-net"] : []),
    ...(root
      ? ["--cap-drop", "ALL", ...capabilities.flatMap((name) => ["--cap-add", `CAP_${name}`])]
      : []),
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"],
  ];
}

/** Arguments for bwrap: mounts in the order of their paths, so that an inner one lies on top. */
export function sandboxArguments(sandbox: Sandbox): string[] {
  const { copy, at, spool, records, scratch, hidden, network, root } = sandbox;
  const mounts: Mount[] = [
    folder("/run"),
    ...(scratch === undefined
      ? [folder("/var/tmp"), { path: SANDBOX_HOME, args: ["--dir", SANDBOX_HOME] }]
      : scratchFolders(scratch).map(({ path, from }) => bind("--bind", path, from))),
    ...["/run/current-system", "/run/systemd/resolve"].map((path) => bind("--ro-bind-try", path)),
    // Root may write kernel settings whatever its capabilities.
    ...(root
      ? ["/proc/sys", "/proc/sysrq-trigger"].map((path) => bind("--ro-bind-try", path))
      : []),
    { path: SANDBOX_SPOOL, args: ["--bind", spool, SANDBOX_SPOOL] },
    ...(records === undefined ? [] : [bind("--bind", SANDBOX_RECORDS, records)]),
    { path: at, args: ["--bind", copy, at] },
    ...hidden.map(({ path, kind }) =>
      kind === "folder" ? folder(path) : bind("--ro-bind", path, "/dev/null"),
    ),
  ];
  mounts.sort((a, b) => (a.path < b.path ? -1 : 1));
  return [...confinement({ network, root }), ...mounts.flatMap(({ args }) => args)];
}

/** Where commands may write beside the repository, and where that lies on the host. */
export const scratchFolders = (scratch: string) => [
  { path: "/tmp", from: join(scratch, "tmp") },
  { path: "/var/tmp", from: join(scratch, "var-tmp") },
  { path: SANDBOX_HOME, from: join(scratch, "home") },
];

const folder = (path: string): Mount => ({ path, args: ["--tmpfs", path] });
const bind = (option: string, path: string, source = path): Mount => ({
  path,
  args: [option, source, path],
});

/** The secrets that stand in this home directory, and `more` paths, as they are on this host. */
export async function findHidden(
  home: string | undefined,
  more: readonly string[],
): Promise<Hidden[]> {
  const inHome = home === undefined ? [] : [...SECRETS, ...(await environmentFiles(home))];
  const paths = [...inHome.map((name) => join(home ?? "", name)), ...more];
  const found = await Promise.all(paths.map(hiddenAt));
  return found.filter((entry) => entry !== null);
}

/** Variables for toolchains in this home directory that rely on HOME. */
export async function toolchainVariables(
  home: string | undefined,
): Promise<Record<string, string>> {
  if (home === undefined) return {};
  const found = await Promise.all(
    Object.entries(TOOLCHAINS).map(async ([name, path]) => {
      const stands = await lstat(join(home, path)).catch(() => null);
      return stands ? [[name, join(home, path)] as const] : [];
    }),
  );
  return Object.fromEntries(found.flat());
}

async function environmentFiles(home: string): Promise<string[]> {
  const names = await readdir(home).catch(() => []);
  return names.filter((name) => name.startsWith(".env"));
}

/** A link is hidden where it leads: nothing can be mounted on the link itself. */
async function hiddenAt(path: string): Promise<Hidden | null> {
  const real = await realpath(path).catch(() => null);
  if (real === null) return null;
  const kind = (await lstat(real)).isDirectory() ? "folder" : "file";
  return { path: real, kind };
}
