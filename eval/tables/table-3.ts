// Table III of arXiv:2608.06811: resolved instances run by run, the gain, McNemar's tests.
import {
  contrastNumbers,
  contrastTable,
  mcnemarTable,
} from "../../src/eval/report/contrast-tables.ts";
import { armNumbers, resolvedTable } from "../../src/eval/report/resolved-table.ts";
import { headlinesOf, printTables } from "./print.ts";

printTables((materials) =>
  materials.flatMap((material) => {
    const { episodes, ledger, bootstrap } = material;
    const gains = headlinesOf(material, (pair) => contrastNumbers(episodes, pair, bootstrap));
    return [
      resolvedTable(armNumbers(episodes, bootstrap), ledger),
      contrastTable(gains, ledger, { id: "gains", caption: "The gain" }),
      mcnemarTable(gains, ledger),
    ];
  }),
);
