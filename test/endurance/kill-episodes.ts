import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomIndices } from "../../src/eval/statistics/random.ts";
import type { Scripted } from "../scripted-model.ts";
import { builtPmcoder } from "./built-pmcoder.ts";
import { type Setting, type Survived, surviveKills } from "./killed-run.ts";
import { patientServer } from "./patient-server.ts";
import { bytesLost, callsRepeated, cutOff, expectRunOnce, expectSame } from "./survived.ts";

const files = {
  "calc.py": "def add(a, b):\n    return a - b\n",
  "tests/test_calc.py": "from calc import add\nassert add(1, 2) == 3\n",
};

const logged = (command: string, name: string) => `${command}; echo ${name} >> "$LOG"`;

/** Each command leaves the same when it is repeated. */
const script: readonly Scripted[] = [
  ["cat calc.py", "ls"],
  logged("printf 'x = 1\\n' > repro.py", "scratch"),
  { message: { role: "assistant", content: "", calls: [] } },
  [logged("sed -i 's/a - b/a + b/' calc.py", "edit"), logged("sleep 0.1", "slept"), "cat calc.py"],
  logged("mkdir -p pkg && printf '\\0\\377' > pkg/blob", "binary"),
  logged("sleep 0.05", "waited"),
  "ls -1 repro.py pkg",
  'echo log:; cat "$LOG"',
  "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT",
];

export interface Plan extends Pick<Setting, "flags" | "resumeFlags" | "env"> {
  readonly place: string;
  /** Kill points in all, at least. */
  readonly kills: number;
  /** In each run, at most. */
  readonly killsEach: number;
  readonly inParallel: number;
  readonly afterKill?: (random: Setting["random"]) => NonNullable<Setting["afterKill"]>;
  /** Removes what killed processes left elsewhere. */
  readonly clean?: (pids: readonly number[]) => Promise<void>;
}

/** What came of all runs. */
export interface Figures {
  readonly place: string;
  readonly runs: number;
  readonly kills: number;
  /** By a process that went on with the run; the others were killed before it had begun. */
  readonly resumed: number;
  readonly rebuilt: number;
  readonly inCommand: number;
  readonly calls: number;
  readonly callsRepeated: number;
  readonly bytesLost: number;
}

/**
 * Kills the processes of runs at random moments until there were enough kill points, and holds each
 * run against one that nobody killed. Seeded, as far as the machine's pace allows.
 */
export async function killEpisodes(plan: Plan): Promise<Figures> {
  builtPmcoder();
  const whole = (await play(plan, 0, 0)).survived;
  const runs: { survived: Survived; repeated: number; calls: number }[] = [];
  const killed = () => runs.reduce((sum, { survived }) => sum + survived.kills.length, 0);
  let seed = 0;
  const next = async (): Promise<void> => {
    if (killed() >= plan.kills) return;
    seed += 1;
    const mine = seed;
    const { survived, server } = await play(plan, mine, plan.killsEach);
    try {
      expectSame(survived, whole, server);
      expectRunOnce(survived.events);
    } catch (cause) {
      throw new Error(`the run of seed ${mine} is another`, { cause });
    }
    runs.push({ survived, repeated: callsRepeated(survived, server), calls: server.paid() });
    await next();
  };
  await Promise.all(Array.from({ length: plan.inParallel }, next));
  const events = runs.flatMap(({ survived }) => survived.events);
  const resumed = events.filter((event) => event.type === "resume");
  return {
    place: plan.place,
    runs: runs.length,
    kills: killed(),
    resumed: resumed.length,
    rebuilt: resumed.filter((event) => event.rebuilt).length,
    inCommand: cutOff(events).length,
    calls: runs.reduce((sum, { calls }) => sum + calls, 0),
    callsRepeated: runs.reduce((sum, { repeated }) => sum + repeated, 0),
    bytesLost: runs.reduce((sum, { survived }) => sum + bytesLost(survived, whole), 0),
  };
}

/** One run, killed as often as asked, in a folder of its own. */
async function play({ flags, resumeFlags, env, ...plan }: Plan, seed: number, kills: number) {
  const folder = mkdtempSync(join(tmpdir(), "pmcoder-kills-"));
  const random = randomIndices(seed);
  const delay = () => random(30);
  const server = await patientServer(script, { delay, forgetful: plan.afterKill !== undefined });
  const afterKill = plan.afterKill?.(random);
  try {
    const survived = await surviveKills({
      ...{ folder, files, server, flags, resumeFlags, env, random, kills },
      issue: "add() subtracts",
      ...(afterKill && { afterKill }),
    });
    await plan.clean?.(survived.pids);
    return { survived, server };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
