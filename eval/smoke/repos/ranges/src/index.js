export { merge } from "./merge.js";
export { size } from "./size.js";
