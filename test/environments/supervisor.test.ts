import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Channel, Supervisor } from "../../src/environments/supervisor.ts";

const program = { workdir: "/w", folder: "/s", mark: "m" };
const request = {
  command: "true",
  file: "/s/0001.log",
  timeoutSec: 9,
  overgrown: async () => false,
};

/** The other end of a channel, played by hand: what was said to it, and answers in any pieces. */
async function played() {
  const input = new PassThrough();
  const output = new PassThrough();
  let exit: (reason: string) => void = () => undefined;
  const exited = new Promise<string>((resolve) => {
    exit = resolve;
  });
  const channel: Channel = { input, output, exited, kill: () => exit("killed") };
  const starting = Supervisor.start(channel, program);
  output.write("R\n");
  const supervisor = await starting;
  input.read();
  const heard = () => String(input.read() ?? "");
  return { supervisor, output, heard, exit };
}

it("understands answers in any pieces", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), async (sizes) => {
      const { supervisor, output } = await played();
      const running = supervisor.run(request);
      let rest = "S 2 77\nE 2 3 1 0\n";
      for (let index = 0; rest !== ""; index += 1) {
        const size = sizes[index % sizes.length] ?? 1;
        output.write(rest.slice(0, size));
        rest = rest.slice(size);
        await turn();
      }
      expect(await running).toMatchObject({ exitCode: 3, background: true, silent: false });
    }),
    { numRuns: 20 },
  );
});

it("a limit that strikes waits until everything is dead, then is released", async () => {
  const { supervisor, output, heard } = await played();
  const running = supervisor.run({ ...request, timeoutSec: 0.5 });
  expect(heard()).toBe(`pass 'run 2 0001.log '\\''true'\\'''\n`);
  output.write("S 2 77\n");
  await turn();
  expect(heard()).toMatch(/^limit 2 77 0\.\d\d 1\n$/);
  output.write("T 2\nE 2 137 1 0\n");
  await turn();
  expect(heard()).toBe("");
  output.write("K 2\n");
  expect(await running).toMatchObject({ exitCode: 124, timedOut: true, background: false });
  expect(heard()).toBe("release\n");
});

it("a command that ends just before its limit is not timed out, nor is the next", async () => {
  const { supervisor, output } = await played();
  const first = supervisor.run(request);
  output.write("S 2 77\nE 2 0 0 1\nT 2\nK 2\n");
  expect(await first).toMatchObject({ exitCode: 0, timedOut: false });
  const second = supervisor.run(request);
  output.write("T 2\nK 2\nS 3 78\nE 3 0 0 1\n");
  expect(await second).toMatchObject({ exitCode: 0, timedOut: false });
});

it("an abort before the command has begun is not forgotten", async () => {
  const { supervisor, output, heard } = await played();
  const caller = new AbortController();
  const running = supervisor.run({ ...request, signal: caller.signal });
  caller.abort();
  heard();
  output.write("S 2 77\n");
  await turn();
  expect(heard()).toBe("end 2 77\n");
  output.write("K 2\nE 2 137 0 1\n");
  expect(await running).toMatchObject({ exitCode: 137, interrupted: true });
});

it("an abort that comes too late leaves the command's own status", async () => {
  const { supervisor, output } = await played();
  const caller = new AbortController();
  const running = supervisor.run({ ...request, signal: caller.signal });
  output.write("S 2 77\n");
  await turn();
  caller.abort();
  output.write("E 2 0 0 0\nK 2\n");
  expect(await running).toMatchObject({ exitCode: 0, interrupted: false });
});

it("calls may not overlap", async () => {
  const { supervisor, output } = await played();
  const running = supervisor.run(request);
  await expect(supervisor.run(request)).rejects.toMatchObject({ code: "internal" });
  output.write("E 2 0 0 1\n");
  expect(await running).toMatchObject({ exitCode: 0 });
});

it.each([
  ["its end", "gone", (_: PassThrough, exit: (reason: string) => void) => exit("gone")],
  ["a refusal", "working folder", (output: PassThrough) => output.write("X 2\n")],
])("%s loses the call that waits and every later one", async (_, reason, lose) => {
  const { supervisor, output, exit } = await played();
  const lost = { code: "environment_lost", message: expect.stringContaining(reason) };
  const running = supervisor.run(request);
  lose(output, exit);
  await expect(running).rejects.toMatchObject(lost);
  await expect(supervisor.run(request)).rejects.toMatchObject(lost);
  await expect(supervisor.copy("/f", "g")).rejects.toMatchObject(lost);
});
