import { Command } from "@commander-js/extra-typings";
import { expect, it } from "vitest";
import { addExamples } from "../../src/cli/help-examples.ts";

it("closes a command's help with examples", () => {
  let text = "";
  const command = new Command("apply")
    .description("Lay a run's patch over the repository.")
    .configureOutput({ writeOut: (part) => (text += part) });
  addExamples(command, [
    { line: "pmcoder apply last", does: "apply the newest run's patch" },
    { line: "pmcoder apply last --check", does: "only see whether it applies" },
  ]);
  command.outputHelp();
  expect(text).toMatchInlineSnapshot(`
    "Usage: apply [options]

    Lay a run's patch over the repository.

    Options:
      -h, --help  display help for command

    Examples:
      # apply the newest run's patch
      pmcoder apply last

      # only see whether it applies
      pmcoder apply last --check
    "
  `);
});
