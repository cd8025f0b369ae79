// Table VIII of arXiv:2608.06811: plan and memory, alone and together, and their interaction.
import { PmcoderError } from "../../src/domain/errors.ts";
import { factorialIn } from "../../src/eval/report/analysis.ts";
import { cellsTable, effectsTable } from "../../src/eval/report/factorial-tables.ts";
import { printTables } from "./print.ts";

printTables((materials) =>
  materials.flatMap((material) => {
    const numbers = factorialIn(material);
    if (numbers !== null && "cells" in numbers) {
      return [cellsTable(numbers, material.ledger), effectsTable(numbers, material.ledger)];
    }
    const { folder } = material.source;
    const why = numbers?.refusal ?? "its arms do not make all combinations of some switches.";
    throw new PmcoderError("usage", `${folder} has no factorial: ${why}`);
  }),
);
