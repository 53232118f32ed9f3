/** Fetched with the first list. Its file has the name of this module, and is served by name. */
export { default as csv } from "papaparse";
