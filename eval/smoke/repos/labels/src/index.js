export { slug } from "./slug.js";
export { uniqueSlugs } from "./unique.js";
