interface HelpText {
  addHelpText(position: "after", text: string): unknown;
}

/** Closes a command's `--help` with examples, each with what it does. */
export function addExamples<Command extends HelpText>(
  command: Command,
  examples: readonly { readonly line: string; readonly does: string }[],
): Command {
  const shown = examples.map(({ line, does }) => `  # ${does}\n  ${line}`);
  command.addHelpText(
    "after",
    `\n${shown.length > 1 ? "Examples" : "Example"}:\n${shown.join("\n\n")}`,
  );
  return command;
}
