import { type List, listOf } from "./columns.ts";

/**
 * Reads a list that was pasted or dropped. The cells are separated by semicolons, commas, or tabs,
 * which spreadsheets copy.
 */
export async function readList(text: string): Promise<List> {
  const { csv } = await import("./csv.ts");
  const content = text.replace(/^\ufeff/, "");
  // Empty lines count as rows of the spreadsheet, but do not help to find the separator.
  const { meta } = csv.parse<string[]>(content, {
    delimitersToGuess: [";", ",", "\t"],
    preview: 20,
    skipEmptyLines: "greedy",
  });
  return listOf(csv.parse<string[]>(content, { delimiter: meta.delimiter }).data);
}
