import type { CommandResult, Environment } from "../../domain/environment.ts";
import { quote } from "../patch/script.ts";
import { fileText } from "./file-text.ts";
import type { Parse } from "./parse.ts";

/**
 * For Python 2 and 3 alike. Bytes are compiled, so that the file's own coding line counts. `sys` is
 * built in: whatever modules the repository holds, none of them is imported.
 */
const program = `import sys
def judge(name):
    try:
        compile(open(name, 'rb').read(), name, 'exec', 0, 1)
    except SyntaxError:
        error = sys.exc_info()[1]
        return 'broken\\x1f%s\\x1f%s: %s' % (error.lineno or '', type(error).__name__, error.msg)
    except (IOError, OSError):
        return 'gone'
    except (TypeError, ValueError):
        error = sys.exc_info()[1]
        return 'broken\\x1f\\x1f%s: %s' % (type(error).__name__, error)
    except Exception:
        return 'unknown'
    return 'whole'
def plain(text):
    return ''.join([c if ' ' <= c < '\\x7f' or c == '\\x1f' else '?' for c in text])
sys.stdout.write(''.join(['\\0' + plain(judge(name)) for name in sys.argv[1:]]))
`;

const noInterpreter = 3;

/** -S and -E: neither site packages nor the agent's variables can get in the way, and it starts fast. */
function command(paths: readonly string[]): string {
  return `for python in python python3; do
  command -v "$python" >/dev/null && "$python" -B -E -S -W ignore - ${paths.map(quote).join(" ")} <<'END_OF_PROGRAM' && exit 0
${program}END_OF_PROGRAM
done
exit ${noInterpreter}`;
}

/**
 * Parses Python files with the interpreter that the project itself runs on, because only it knows
 * which syntax it takes. Without one, the syntax tree answers, which misses much: indentation,
 * Python 2's statements.
 */
export async function parsePython(
  environment: Environment,
  paths: readonly string[],
  timeoutSec: number,
): Promise<readonly Parse[]> {
  const result = await environment.execute(command(paths), { timeoutSec });
  if (result.exitCode === 0) return answersOf(result, paths.length);
  if (result.timedOut || result.exitCode !== noInterpreter) return [];
  const parses: Parse[] = [];
  for (const path of paths) parses.push(await parseTree(environment, path));
  return parses;
}

/** The last fields of the output; what a start-up file or a broken shim printed stands before. */
function answersOf({ output }: CommandResult, count: number): readonly Parse[] {
  const text = Buffer.concat([output.head, output.tail]).toString("latin1");
  return text.split("\0").slice(1).slice(-count).map(answerOf);
}

function answerOf(field: string): Parse {
  const [state, line, message] = field.split("\x1f");
  if (state === "whole" || state === "gone") return { state };
  if (state !== "broken") return { state: "unknown" };
  return { state, line: Number(line) || null, message: message ?? "" };
}

async function parseTree(environment: Environment, path: string): Promise<Parse> {
  const text = await fileText(environment, path);
  if (text === null) return { state: "gone" };
  const { firstError } = await import("./python-tree.ts");
  const line = firstError(text);
  if (line === null) return { state: "whole" };
  return { state: "broken", line, message: "SyntaxError: the code does not parse here" };
}
