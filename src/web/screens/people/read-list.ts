import { type List, listOf } from "./columns.ts";

/** Reads what was pasted or dropped: separated by semicolons, commas, or tabs as a spreadsheet copies it. */
export async function readList(text: string): Promise<List> {
  const { default: csv } = await import("papaparse");
  const { data } = csv.parse<string[]>(text.replace(/^\ufeff/, ""), {
    delimitersToGuess: [";", ",", "\t"],
  });
  return listOf(data);
}
