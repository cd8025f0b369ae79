import { duration } from "../../domain/quantities.ts";
import type { Io } from "../io.ts";
import { visible } from "../terminal-text.ts";
import type { ProbedInstance } from "./grade-gold.ts";
import type { ToldGrading } from "./grade-models.ts";
import type { WrittenReport } from "./grade-reports.ts";
import type { GradedModel } from "./grade-source.ts";

const verdictOf = (resolved: boolean | null) =>
  resolved === null ? "no verdict" : resolved ? "resolved" : "not resolved";

const because = (remark: string | null) => (remark === null ? "" : `: ${visible(remark)}`);

/** Tells gradings as they come: a line each for people, an object each for programs. */
export class GradeTeller {
  readonly #io: Pick<Io, "stdout" | "stderr">;
  readonly #isJson: boolean;
  readonly #of: number;
  #done = 0;
  #known = 0;

  /** `of`: how many will be told. */
  constructor(io: Pick<Io, "stdout" | "stderr">, isJson: boolean, of: number) {
    this.#io = io;
    this.#isJson = isJson;
    this.#of = of;
  }

  graded({ item, grading, isNew }: ToldGrading): void {
    const { model, instance, folder } = item;
    const { resolved, remark, seconds } = grading;
    this.#done += 1;
    const about = { run: model.runId, model: model.model, instance_id: instance };
    this.#print({ type: "graded", ...about, resolved, remark, seconds, isNew, folder });
    if (!isNew) this.#known += 1;
    else {
      const verdict = `${verdictOf(resolved)}${because(remark)}`;
      this.say(
        `${this.#done}/${this.#of}  ${model.runId} ${instance}  ${verdict}  ${duration(seconds)}`,
      );
    }
  }

  probed({ instance, probe, grading, isSound }: ProbedInstance): void {
    const { resolved, remark, seconds } = grading;
    this.#print({ type: "probed", instance_id: instance, probe, resolved, remark, isSound });
    const mark = isSound ? "as it should be" : "NOT as it should be";
    const verdict = `${verdictOf(resolved)}${because(remark)}`;
    this.say(`${probe} ${instance}  ${verdict}, ${mark}  ${duration(seconds)}`);
  }

  reported({ runId, model }: GradedModel, { file, report }: WrittenReport, line: string): void {
    this.#print({ type: "report", run: runId, model, file, ...report });
    this.say(line);
  }

  /** How many were known before. */
  restored(): void {
    if (this.#known > 0) this.say(`${this.#known} of ${this.#of} were known before`);
  }

  say(line: string): void {
    this.#io.stderr.write(`${line}\n`);
  }

  #print(value: object): void {
    if (this.#isJson) this.#io.stdout.write(`${JSON.stringify(value)}\n`);
  }
}
