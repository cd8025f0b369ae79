import { extractReproducer } from "../agent/grounding/extraction.ts";
import { PmcoderError } from "../domain/errors.ts";
import { composeModel, systemClock } from "./compose.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { noModelMessage } from "./keys.ts";
import type { ExtractFlags } from "./repro-command.ts";
import { folderFor, reproducerOf, scriptName, writeKept } from "./repro-files.ts";
import { issueOf } from "./repro-issue.ts";
import { reproConfig, scriptsFolder } from "./repro-settings.ts";
import { listenForSignals } from "./signals.ts";

/**
 * `pmcoder repro extract`: one model call out of the issue's text, kept as a script that is not
 * admitted yet. Returns 1 when the reply holds no script.
 */
export async function extract(name: string, flags: ExtractFlags, io: Io): Promise<ExitCode> {
  const config = reproConfig(flags, io);
  if (config.model.name === null) throw new PmcoderError("usage", noModelMessage(io.env));
  const scripts = scriptsFolder(config, io);
  const folder = folderFor(scripts, name);
  const issue = await issueOf(name, flags, io);
  if (issue === null) throw new PmcoderError("usage", "Give the issue: --dataset FILE or --issue.");
  const interruption = listenForSignals(io.signals, () => io.leave(130));
  const { model, close } = await composeModel(config.model, flags.record, issue, io);
  try {
    const { signal } = interruption;
    const found = await extractReproducer(
      { model, config, clock: systemClock, signal },
      issue,
      async (retry) => {
        if (retry.type === "retry") io.stderr.write(`again: ${retry.reason}\n`);
      },
    );
    if (found === null) {
      io.stderr.write("The reply holds no script in a fenced block tagged python or bash.\n");
      return 1;
    }
    const reproducer = reproducerOf(found);
    const { lang, sha256 } = reproducer;
    writeKept(scripts, reproducer, {
      instance_id: name,
      lang,
      sha256,
      admitted: false,
      rc: null,
      ms: null,
      model: model.name,
      created: new Date(systemClock.now()).toISOString(),
    });
    io.stderr.write(
      `${folder}/${scriptName(reproducer)}\nNot admitted yet: pmcoder repro validate ${name}\n`,
    );
    return 0;
  } finally {
    close();
    interruption.release();
  }
}
