import { expect, it } from "vitest";
import { sandboxArguments } from "../../src/environments/bubblewrap-mounts.ts";

const sandbox = {
  copy: "/cache/copy",
  at: "/home/me/.config/project",
  spool: "/state/outputs",
  hidden: [
    { path: "/home/me/.netrc", kind: "file" },
    { path: "/home/me/.config/project/.env", kind: "folder" },
    { path: "/home/me/.config", kind: "folder" },
  ],
  network: "off",
  root: false,
} as const;

const lines = (args: readonly string[]) => args.join(" ").replaceAll(" --", "\n--");

it("an inner mount comes after the one it lies in", () => {
  expect(lines(sandboxArguments(sandbox))).toMatchInlineSnapshot(`
    "--die-with-parent
    --new-session
    --unshare-pid
    --unshare-ipc
    --unshare-uts
    --unshare-net
    --ro-bind / /
    --dev /dev
    --proc /proc
    --tmpfs /tmp
    --tmpfs /home/me/.config
    --bind /cache/copy /home/me/.config/project
    --tmpfs /home/me/.config/project/.env
    --ro-bind /dev/null /home/me/.netrc
    --tmpfs /run
    --ro-bind-try /run/current-system /run/current-system
    --dir /run/home
    --bind /state/outputs /run/pmcoder
    --ro-bind-try /run/systemd/resolve /run/systemd/resolve
    --tmpfs /var/tmp"
  `);
});

it("root keeps a few capabilities, and kernel settings stay as they are", () => {
  const args = lines(sandboxArguments({ ...sandbox, hidden: [], network: "on", root: true }));
  expect(args).toMatchInlineSnapshot(`
    "--die-with-parent
    --new-session
    --unshare-pid
    --unshare-ipc
    --unshare-uts
    --cap-drop ALL
    --cap-add CAP_CHOWN
    --cap-add CAP_DAC_OVERRIDE
    --cap-add CAP_FOWNER
    --cap-add CAP_FSETID
    --cap-add CAP_KILL
    --cap-add CAP_SETGID
    --cap-add CAP_SETUID
    --ro-bind / /
    --dev /dev
    --proc /proc
    --tmpfs /tmp
    --bind /cache/copy /home/me/.config/project
    --ro-bind-try /proc/sys /proc/sys
    --ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger
    --tmpfs /run
    --ro-bind-try /run/current-system /run/current-system
    --dir /run/home
    --bind /state/outputs /run/pmcoder
    --ro-bind-try /run/systemd/resolve /run/systemd/resolve
    --tmpfs /var/tmp"
  `);
});

it("gives temporary files and HOME a place on the host, if they are to outlive the sandbox", () => {
  const args = lines(sandboxArguments({ ...sandbox, hidden: [], scratch: "/cache/scratch" }));
  expect(args).toMatchInlineSnapshot(`
    "--die-with-parent
    --new-session
    --unshare-pid
    --unshare-ipc
    --unshare-uts
    --unshare-net
    --ro-bind / /
    --dev /dev
    --proc /proc
    --tmpfs /tmp
    --bind /cache/copy /home/me/.config/project
    --tmpfs /run
    --ro-bind-try /run/current-system /run/current-system
    --bind /cache/scratch/home /run/home
    --bind /state/outputs /run/pmcoder
    --ro-bind-try /run/systemd/resolve /run/systemd/resolve
    --bind /cache/scratch/tmp /tmp
    --bind /cache/scratch/var-tmp /var/tmp"
  `);
});
