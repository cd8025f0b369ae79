import { printed, quote, unsetGit } from "../agent/patch/script.ts";
import type { Environment } from "../domain/environment.ts";
import { PmcoderError } from "../domain/errors.ts";
import type { Git } from "../experience/repomem/read-history.ts";

/** Our choice: 50,000 commits are listed in well under this. */
const timeoutSec = 300;

/** So that git prints what is expected, asks nobody, fetches nothing and writes nothing. */
const quiet =
  "LC_ALL=C GIT_NO_LAZY_FETCH=1 GIT_OPTIONAL_LOCKS=0 GIT_TERMINAL_PROMPT=0 git --no-pager -c core.quotePath=false -c i18n.logOutputEncoding=UTF-8 -c core.fsmonitor=false";

/**
 * The git of an environment, in its repository. What it prints goes through a file, because of a
 * command's output only both ends are kept. It rejects with PmcoderError `usage`, with git's words.
 */
export function gitInside(environment: Environment): Git {
  return async function* run(args, expected = [0]) {
    const file = `${environment.records}/git-output`;
    const line = `${quiet} ${args.map(quote).join(" ")}`;
    const script = `${unsetGit}\nmkdir -p ${quote(environment.records)} && ${line} > ${quote(file)}`;
    const result = await environment.execute(script, { timeoutSec, errand: true });
    if (!expected.includes(result.exitCode)) {
      const [command = ""] = args;
      throw new PmcoderError("usage", `git ${command} cannot read the history${printed(result)}`);
    }
    yield await environment.read(file);
  };
}
