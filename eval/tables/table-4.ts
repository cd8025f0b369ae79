// Table IV of arXiv:2608.06811: resolved instances by difficulty. The paper shows its first run;
// this is the mean over all.
import { difficultyTable, strataNumbers } from "../../src/eval/report/strata-tables.ts";
import { headlinesOf, printTables } from "./print.ts";

printTables((materials) =>
  materials.map((material) => {
    const { episodes, ledger, bootstrap } = material;
    const strata = headlinesOf(material, (pair) => strataNumbers(episodes, pair, bootstrap));
    return difficultyTable(strata, ledger);
  }),
);
