export { split } from "./split.js";
export { total } from "./total.js";
