// Table VII of arXiv:2608.06811: the same comparison in other agents and on other benchmarks, an
// experiment each.
import { transferNumbers, transferTable } from "../../src/eval/report/transfer-table.ts";
import { printTables } from "./print.ts";

printTables((materials) => {
  const rows = materials.flatMap((material) => transferNumbers(material) ?? []);
  const caption = "The same comparison by agent and benchmark";
  return [transferTable(rows, { id: "agents", caption })];
});
