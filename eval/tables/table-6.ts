// Table VI of arXiv:2608.06811: the same comparison with other models, an experiment each.
import { transferNumbers, transferTable } from "../../src/eval/report/transfer-table.ts";
import { printTables } from "./print.ts";

printTables((materials) => {
  const rows = materials.flatMap((material) => transferNumbers(material) ?? []);
  return [transferTable(rows, { id: "models", caption: "The same comparison by model" })];
});
