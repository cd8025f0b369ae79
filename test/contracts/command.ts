import { type ChildProcess, execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunConfig } from "../../src/domain/config/run-config.ts";
import type { CommandResult, Environment } from "../../src/domain/environment.ts";

export interface EnvironmentFactory {
  /** Opens one with an empty working folder; `secrets` join the caller's variables. */
  open(
    changes?: Partial<RunConfig["environment"]>,
    secrets?: Readonly<Record<string, string>>,
  ): Promise<Environment>;
  /** A process of its own that opens one, runs the command, says "running" and stays. */
  own(command: string): ChildProcess;
}

export const textOf = ({ output }: CommandResult) =>
  Buffer.concat([output.head, output.tail]).toString();

const cksum = (input: string) => execFileSync("cksum", { input, encoding: "utf8" }).trim();

/** Command lines of living processes of this machine that hold this text. */
export const living = (text: string) =>
  execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(text));

export const gone = (text: string) =>
  expect.poll(() => living(text), { timeout: 3000, interval: 50 }).toEqual([]);

/** What every command meets, whatever the kind of its environment. */
export function commandContract(name: string, factory: EnvironmentFactory): void {
  describe(`${name}: a command`, () => {
    let environment: Environment;
    const run = (command: string, timeoutSec = 20, signal?: AbortSignal) =>
      environment.execute(command, { timeoutSec, ...(signal && { signal }) });
    const outcome = async (command: string, timeoutSec?: number) => {
      const result = await run(command, timeoutSec);
      return [result.exitCode, textOf(result)];
    };
    beforeAll(async () => {
      environment = await factory.open({}, { MY_API_KEY: "k1", GH_TOKEN: "k2", HARMLESS: "yes" });
    });
    afterAll(() => environment.close());

    it("starts in the working folder with nothing but files left of the last one", async () => {
      expect(await outcome("echo kept >f; cd /; export A=1; b() { :; }; alias c=d")).toEqual([
        0,
        "",
      ]);
      expect(await outcome('cat f; pwd; echo "$A$PWD"; type b')).toEqual([
        1,
        `kept\n${environment.workdir}\n${environment.workdir}\nbash: line 1: type: b: not found\n`,
      ]);
    });

    it.each([
      ["true", 0, ""],
      ["", 0, ""],
      ["exit 3", 3, ""],
      ["exit 300", 44, ""],
      ["no-such-program", 127, "bash: line 1: no-such-program: command not found\n"],
      ["/etc/passwd", 126, "bash: line 1: /etc/passwd: Permission denied\n"],
      ["echo a; echo b >&2; echo c", 0, "a\nb\nc\n"],
      ["kill -9 $$", 137, ""],
      ["kill -9 -$$", 137, ""],
      ["kill 0; sleep 5", 143, ""],
      ["(sleep 9 | cat) & kill -9 -$$", 137, ""],
      ["mkdir d; cd d; rmdir ../d; exit 4", 4, ""],
      ["printf '%s' \"it's 'quoted' \\\"twice\\\" '\\''x\"", 0, "it's 'quoted' \"twice\" '\\''x"],
      ["cat <<'E'\nÁéΩ漢🙂 \u0001\u007f\\\t$x `y`\r\nE", 0, "ÁéΩ漢🙂 \u0001\u007f\\\t$x `y`\r\n"],
      ["python3() { :; }; echo $-", 0, "hBc\n"],
      ["trap 'echo int; exit 5' INT; kill -INT $$", 5, "int\n"],
    ])("%j exits with %i and prints %j", async (command, exitCode, output) => {
      expect(await outcome(command)).toEqual([exitCode, output]);
    });

    it("may remove its own folder without an effect on the next", async () => {
      await run('cd /; rm -rf "$OLDPWD"');
      expect(await outcome("ls; pwd")).toEqual([0, `${environment.workdir}\n`]);
    });

    it("holding a NUL is refused in its result, not by an exception", async () => {
      expect(await outcome("echo a\0b")).toEqual([
        2,
        expect.stringContaining("NUL byte at character 7"),
      ]);
    });

    it.each([9_000, 200_000, 1_100_000])("may be %i characters long", async (length) => {
      const text = "it's \u0001\u007fü\n".padEnd(length, "plain text, ");
      const [code, output] = await outcome(`cat <<'E' | cksum\n${text}\nE\nnot-there`);
      const lines = text.split("\n").length + 3;
      expect([code, output]).toEqual([
        127,
        `${cksum(`${text}\n`)}\nbash: line ${lines}: not-there: command not found\n`,
      ]);
    });

    it("has no input and no terminal", async () => {
      expect(await outcome("read x; echo $?; read x </dev/tty; echo $?", 5)).toEqual([
        0,
        "1\nbash: line 1: /dev/tty: No such device or address\n1\n",
      ]);
    });

    it("of Python's that asks gets the end of input", async (context) => {
      if ((await run("command -v python3")).exitCode !== 0) context.skip();
      const [code, output] = await outcome(`python3 -c "n=input('name? '); print(n)"`);
      expect([code, output]).toEqual([
        1,
        expect.stringMatching(/^name\? Traceback[\s\S]*EOFError/),
      ]);
    });

    it("of git's never waits for an editor, a pager or an owner's consent", async () => {
      await run("git init -q g && cd g && git config user.email a@b && git config user.name c");
      const [code, output] = await outcome("cd g; echo 1 >f; git add f; git commit", 5);
      expect([code, output]).toEqual([1, "Aborting commit due to empty commit message.\n"]);
      const history = `cd g; for i in $(seq 500); do
        printf 'commit refs/heads/h\\ncommitter t <t@t> %d +0000\\ndata 1\\nx\\n' $i
      done | git fast-import --quiet; git log h`;
      const [status, log] = await outcome(history, 10);
      expect([status, String(log).match(/^commit /gm)?.length]).toEqual([0, 500]);
      expect(await outcome("git config --get-all safe.directory")).toEqual([0, "*\n"]);
    });

    it("sees the caller's variables without secrets", async () => {
      const script = 'echo "$HARMLESS,$MY_API_KEY,$GH_TOKEN"; env | grep -c -e =k1 -e =k2';
      expect(await outcome(script)).toEqual([1, "yes,,\n0\n"]);
    });

    it("keeps its bytes as they came", async () => {
      const split =
        "printf 'caf\\303'; sleep .1; printf '\\251\\n'; printf '\\342\\202' >&2; sleep .1; printf '\\254\\n'";
      expect(await outcome(split)).toEqual([0, "café\n€\n"]);
      const raw = await run(
        "printf 'ok \\226 end\\n'; printf 'a\\0b \\033[31mred\\033[0m\\n'; exit 3",
      );
      expect(raw.exitCode).toBe(3);
      const bytes = Buffer.from("ok \x96 end\na\0b \x1b[31mred\x1b[0m\n", "latin1");
      expect(Buffer.from(raw.output.head)).toEqual(bytes);
      expect(Buffer.from(await environment.read(raw.output.file))).toEqual(bytes);
    });

    it("of 700 MB costs no memory and shows both ends", async () => {
      const before = process.resourceUsage().maxRSS;
      const script = "head -c 700000000 /dev/zero | tr '\\0' a; echo; echo TAIL-MARK; exit 5";
      const { exitCode, output } = await run(script, 120);
      expect([exitCode, output.totalBytes]).toEqual([5, 700_000_011]);
      expect(Buffer.from(output.head).toString()).toBe("a".repeat(65_536));
      expect(Buffer.from(output.tail).toString()).toBe(`${"a".repeat(65_525)}\nTAIL-MARK\n`);
      expect(process.resourceUsage().maxRSS - before).toBeLessThan(200 * 1024);
      await run(`rm '${output.file}'`);
    }, 150_000);

    it.each([
      ["sleep 31.25 & echo started", "started\n"],
      ["sleep 31.25 >/dev/null 2>&1 & echo started", "started\n"],
    ])("with a child in the background returns at once: %s", async (command, output) => {
      const result = await run(command);
      expect([result.exitCode, result.background, textOf(result)]).toEqual([0, true, output]);
      expect(result.seconds).toBeLessThan(2);
      expect(living("sleep 31.25").length).toBeGreaterThan(0);
    });

    it.each(["", "", "timeout 200 "])(
      "over its time is killed with its children (%j)",
      async (wrap) => {
        const result = await run(`echo begin; ${wrap}sleep 300.75 | cat`, 1);
        expect({ ...result, output: textOf(result) }).toMatchObject({
          exitCode: 124,
          timedOut: true,
          interrupted: false,
          background: false,
          output: "begin\n",
        });
        expect(result.seconds).toBeLessThan(3);
        await gone("sleep 300.75");
      },
    );

    it("has a limit above a second too, and its watcher goes with it", async () => {
      expect(await run("sleep 33.5", 1.5)).toMatchObject({ exitCode: 124, timedOut: true });
      expect(await run("sleep 1.25; exit 7", 44.25)).toMatchObject({
        exitCode: 7,
        timedOut: false,
      });
      await gone("sleep 43");
    });

    it("is interrupted by the caller's signal, with what it had printed", async () => {
      const early = AbortSignal.timeout(300);
      const result = await run("echo part; sleep 32.5; echo never", 20, early);
      expect(result).toMatchObject({ interrupted: true, timedOut: false, exitCode: 137 });
      expect(textOf(result)).toBe("part\n");
      expect(await run("echo again", 20, AbortSignal.abort())).toMatchObject({ interrupted: true });
      expect(await outcome("echo again")).toEqual([0, "again\n"]);
      await gone("sleep 32.5");
    });
  });
}
