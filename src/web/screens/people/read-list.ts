import { type List, listOf } from "./columns.ts";

/** Reads what was pasted or dropped: separated by semicolons, commas, or tabs as a spreadsheet copies it. */
export async function readList(text: string): Promise<List> {
  const { csv } = await import("./csv.ts");
  const content = text.replace(/^\ufeff/, "");
  // Empty lines count as rows of the spreadsheet, but say nothing of what separates the cells.
  const { meta } = csv.parse<string[]>(content, {
    delimitersToGuess: [";", ",", "\t"],
    preview: 20,
    skipEmptyLines: "greedy",
  });
  return listOf(csv.parse<string[]>(content, { delimiter: meta.delimiter }).data);
}
