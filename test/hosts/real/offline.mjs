// Runs a command where this machine's network is out of reach: only 127.0.0.1:PORT answers, and what
// it is told goes to a socket outside. usage: node offline.mjs SOCKET PORT COMMAND...
import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";

const [socket, port, command, ...args] = process.argv.slice(2);
const server = createServer((inside) => {
  const outside = connect(socket);
  inside.pipe(outside).pipe(inside);
  inside.on("error", () => outside.destroy());
  outside.on("error", () => inside.destroy());
});
server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(command, args, { stdio: "inherit" });
  child.on("error", (error) => {
    process.stderr.write(`${command}: ${error.message}\n`);
    process.exit(127);
  });
  child.on("exit", (code, signal) => process.exit(signal ? 128 : (code ?? 0)));
});
