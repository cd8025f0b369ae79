#!/usr/bin/env node
import { writeSync } from "node:fs";

// The version alone, and a hook, need little of the program, which takes a while to load.
const args = process.argv.slice(2);
const [command, host = ""] = args;
const isHook = command === "hook" && /^[a-z]+-code$/.test(host) && args.length === 2;
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  const { version } = await import("./version.ts");
  process.stdout.write(`${version}\n`);
} else if (isHook) {
  const { hook } = await import("./hook.ts");
  const leave = () => process.exit(0);
  process.stdin.on("error", leave);
  process.on("uncaughtException", leave);
  await hook(host, {
    env: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    write: (text) => void writeSync(1, text),
    complain: (text) => void writeSync(2, text),
    leave,
  });
} else {
  const { main } = await import("./program.ts");
  // Whoever read the output may leave (`| head`); the work itself goes on.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
  process.exitCode = await main(args, {
    env: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signals: process,
    leave: (code) => process.exit(code),
  });
}
