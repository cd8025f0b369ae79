import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { bubblewrapWorks, openBubblewrap } from "../../src/environments/bubblewrap.ts";
import { capable } from "../capabilities.ts";
import { textOf } from "../contracts/command.ts";
import { environmentContract } from "../contracts/environment.ts";
import { hostPlaces } from "./host-places.ts";

const works = await capable("bubblewrap", async () => (await bubblewrapWorks()).ok);
const places = hostPlaces("bubblewrap");
afterAll(places.remove);

/** Opens one, runs one command in it, and closes it. */
async function outputOf(command: string, options: Partial<Options> = {}): Promise<string> {
  const environment = await openBubblewrap({ ...places.place(), env: process.env, ...options });
  try {
    return textOf(await environment.execute(command, { timeoutSec: 20 }));
  } finally {
    await environment.close();
  }
}
type Options = Parameters<typeof openBubblewrap>[0];

describe.runIf(works)("under bubblewrap", () => {
  environmentContract("bubblewrap", places);

  it("the machine cannot be written, by root neither", async () => {
    const script = `for path in / /etc /usr "$OLD_HOME"; do : >"$path/pmcoder-probe" || echo no; done
      mount -o remount,rw / 2>&- || echo no; : >/proc/sys/kernel/panic || echo no`;
    const output = await outputOf(`{ ${script}; } 2>/dev/null`, {
      env: { ...process.env, OLD_HOME: process.env["HOME"] },
    });
    expect(output).toBe("no\n".repeat(6));
  });

  it("the copy stands in the original's place, and alone is changed", async () => {
    const options = places.place();
    writeFileSync(join(options.at, "f"), "original");
    writeFileSync(join(options.copy, "f"), "copy");
    expect(await outputOf("pwd; cat f; echo changed >f; echo >new", options)).toBe(
      `${options.at}\ncopy`,
    );
    expect(readdirSync(options.at)).toEqual(["f"]);
    expect(readFileSync(join(options.at, "f"), "utf8")).toBe("original");
    expect(readdirSync(options.copy)).toEqual(["f", "new"]);
    expect(readFileSync(join(options.copy, "f"), "utf8")).toBe("changed\n");
  });

  it("an original reached through a link keeps both its paths", async () => {
    const options = places.place();
    const link = `${options.at}-link`;
    symlinkSync(options.at, link);
    writeFileSync(join(options.copy, "f"), "copy");
    const output = await outputOf(`pwd; cat '${options.at.replace("'", "'\\''")}/f'`, {
      ...options,
      at: link,
    });
    expect(output).toBe(`${link}\ncopy`);
  });

  it("there is no network unless it is on", async () => {
    const interfaces = "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '";
    expect(await outputOf(interfaces)).toBe("lo\n");
    expect(await outputOf("exec 3<>/dev/tcp/192.0.2.1/80")).toContain("Network is unreachable");
    const host = readFileSync("/proc/net/dev", "utf8").trim().split("\n").length - 2;
    const on = await outputOf(interfaces, places.place({ network: "on" }));
    expect(on.trim().split("\n")).toHaveLength(host);
  });

  it("secrets of the home directory are hidden, its toolchains are not", async () => {
    // A home directory that was copied too: one under /tmp would not be seen at all.
    const options = places.place();
    const secrets = [".ssh/id", ".config/gh/hosts.yml", ".netrc", ".env.local"];
    for (const home of [options.at, options.copy]) {
      for (const folder of [".ssh", ".config/gh", ".pyenv/bin"]) {
        mkdirSync(join(home, folder), { recursive: true });
      }
      for (const file of [...secrets, ".pyenv/bin/tool"]) writeFileSync(join(home, file), file);
    }
    const output = await outputOf(
      `cat ${secrets.join(" ")} 2>/dev/null; cat "$PYENV_ROOT/bin/tool"`,
      { ...options, env: { PATH: process.env["PATH"], HOME: options.at } },
    );
    expect(output).toBe(".pyenv/bin/tool");
  });

  it("paths given as hidden are hidden, also inside the copy", async () => {
    const options = places.place();
    const outside = join(options.spool, "..", "outside");
    for (const folder of [outside, join(options.at, "state"), join(options.copy, "state")]) {
      mkdirSync(folder);
      writeFileSync(join(folder, "f"), "seen");
    }
    const hidden = [outside, join(options.at, "state"), join(options.at, "absent")];
    const script = `ls -A '${outside.replace("'", "'\\''")}' state; ls`;
    const output = await outputOf(script, { ...options, hidden });
    expect(output.replace(outside, "OUTSIDE")).toBe(
      "'OUTSIDE':\n\nstate:\nstate\n".replaceAll("'", ""),
    );
  });

  it("/tmp, HOME and the processes are private", async () => {
    const output = await outputOf(
      'echo "$HOME $TMPDIR"; ls -A ~ /var/tmp; echo >~/f; echo >/tmp/f; ls ~; cat /proc/[0-9]*/comm >/tmp/c; sort -u /tmp/c',
      { env: { ...process.env, TMPDIR: "/nowhere" } },
    );
    expect(output).toBe("/run/home \n/run/home:\n\n/var/tmp:\nf\nbash\nbwrap\nsh\n");
  });

  it("sockets of the machine's daemons are out of reach", async () => {
    expect(await outputOf("ls /run")).toBe("home\npmcoder\n");
  });
});

it("without bubblewrap says which package is missing and what else there is", async () => {
  const opening = openBubblewrap({ ...places.place(), env: { PATH: "/nowhere" } });
  await expect(opening).rejects.toMatchObject({ code: "environment_lost" });
  await expect(opening).rejects.toThrowErrorMatchingInlineSnapshot(
    `[PmcoderError: The bubblewrap sandbox cannot start: bubblewrap is not installed: there is no bwrap on PATH. To go on, install the package bubblewrap (apt-get install bubblewrap, dnf install bubblewrap), or use --environment local.]`,
  );
});

it("where namespaces are refused gives bubblewrap's reason and the remedies", async () => {
  const { copy } = places.place();
  const bwrap = join(copy, "bwrap");
  writeFileSync(
    bwrap,
    "#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2; exit 1\n",
    {
      mode: 0o755,
    },
  );
  expect(await bubblewrapWorks({ PATH: `${copy}:${process.env["PATH"]}` })).toMatchInlineSnapshot(`
    {
      "fix": "allow unprivileged user namespaces (Ubuntu: sysctl kernel.apparmor_restrict_unprivileged_userns=0; in a container: start it with --privileged), or use --environment local",
      "ok": false,
      "reason": "bwrap: No permissions to create a new namespace",
    }
  `);
});
