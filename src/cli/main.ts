#!/usr/bin/env node
import { version } from "./version.ts";

// The version alone needs none of the program, which takes a while to load.
const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  process.stdout.write(`${version}\n`);
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
