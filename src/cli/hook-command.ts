import { Argument, Command } from "@commander-js/extra-typings";
import { addExamples } from "./help-examples.ts";
import { hookHosts } from "./hook-hosts.ts";
import type { Io } from "./io.ts";

/** Agents that plan and memory can be put into from here. */
const installHosts = [...hookHosts, "pi", "opencode"] as const;
export type InstallHost = (typeof installHosts)[number];

const changing = (name: "install" | "uninstall", does: string) =>
  new Command(name)
    .description(does)
    .addArgument(new Argument("<host>", "the agent").choices(installHosts))
    .option("--user", "in your own settings, for every repository (default)")
    .option("--project", "in the settings of the repository you are in")
    .option("--yes", "write without asking")
    .option("--json", "what was done as one JSON object on standard output");

export type HookFlags = ReturnType<ReturnType<typeof changing>["opts"]>;

/** `pmcoder hook`; with a host's name alone, main answers it and loads nothing of this. */
export function hookOf(io: Io, done: (code: number) => void) {
  const command = new Command("hook")
    .description("Plan and memory inside another agent: install them there, or answer its hook.")
    .addHelpText(
      "after",
      `\npmcoder hook ${hookHosts.join("|")} reads one event on standard input and prints what the agent\nis to show its model, as one JSON object, or nothing. Its exit status is always 0.`,
    );
  addExamples(command, [
    { line: "pmcoder hook install qwen-code", does: "plan and memory in your next session" },
    { line: "pmcoder hook uninstall qwen-code", does: "and gone again" },
  ]);
  for (const [name, does] of [
    ["install", "Put plan and memory into an agent. Shows the change and asks before it writes."],
    ["uninstall", "Take them out again; what stood there before is put back."],
  ] as const) {
    const change = changing(name, does).action(async (host, flags) => {
      const { changeHook } = await import("./hook-install.ts");
      done(await changeHook(name, host, flags, io));
    });
    command.addCommand(
      addExamples(change, [
        { line: `pmcoder hook ${name} claude-code`, does: "for every repository" },
        { line: `pmcoder hook ${name} pi --project --yes`, does: "for this one, without asking" },
      ]),
    );
  }
  return command.hook("preSubcommand", (parent, child) => {
    child.copyInheritedSettings(parent);
  });
}
