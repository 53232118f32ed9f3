/** Fetched with the first list: its file has the name of this one, which the service serves. */
export { default as csv } from "papaparse";
