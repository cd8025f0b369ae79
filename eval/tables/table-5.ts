// Table V of arXiv:2608.06811: what episodes look like from outside.
import { signatureNumbers, signatureTable } from "../../src/eval/report/signature-table.ts";
import { headlinesOf, printTables } from "./print.ts";

printTables((materials) =>
  materials.map((material) => {
    const { episodes, ledger, bootstrap } = material;
    const signatures = headlinesOf(material, (pair) => signatureNumbers(episodes, pair, bootstrap));
    return signatureTable(signatures, ledger);
  }),
);
