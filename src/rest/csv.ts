import { basename } from "node:path";
import csv from "papaparse";
import type { Route } from "../contract/route.ts";
import type { Member, NamedMember, ResourceSchema } from "../contract/schemas.ts";
import type { Row } from "../database/transaction.ts";
import type { Language } from "../texts/kinds.ts";
import { type Renderer, rowWriter, writerOf } from "./json.ts";

const CSV_TYPE = "text/csv; charset=utf-8; header=present";

/** `{ hours }`, or its rows as CSV. */
export function reportRenderer({ path }: Route, { name, row }: NamedMember): Renderer {
  const write = rowWriter(row);
  const writeCsv = { en: csvWriter(row, "en"), de: csvWriter(row, "de") };
  const file = { name: `${basename(path)}.csv`, type: CSV_TYPE };
  return ([rows = []], { format, language }) =>
    format === "csv"
      ? { body: writeCsv[language === "de" ? "de" : "en"](rows), file }
      : { body: `{"${name}":[${rows.map(write).join()}]}` };
}

/**
 * CSV of RFC 4180, with a line of names. It has the columns that the JSON of each row has. Spreadsheets
 * in German separate cells by semicolons, and take 1.5 for a date: there, a comma is in numbers.
 */
export function csvWriter(
  { properties }: ResourceSchema,
  language: Language = "en",
): (rows: readonly Row[]) => string {
  const delimiter = language === "de" ? ";" : ",";
  const names = Object.keys(properties);
  const columns = Object.values(properties).map((it) => cellWriter(it, language));
  return (rows) => {
    const cells = rows.map((row) =>
      columns.map((write, i) => (row[i] == null ? "" : write(row[i]))),
    );
    return `${csv.unparse([names, ...cells], { delimiter })}\r\n`;
  };
}

function cellWriter(schema: Member, language: Language): (text: string) => string {
  if (schema.type === "string" && !("format" in schema)) return harmless;
  if (schema.type === "number" && language === "de") return (text) => text.replace(".", ",");
  const write = writerOf(schema);
  return (text) => write(text).replaceAll('"', ""); // the quotes of JSON
}

/** What a cell begins with. In many countries a semicolon ends one, whatever the quotes say. */
const BEGINNINGS = /(?<=(?:^|[;|\t\r\n])[\s"]*)[^\s"]/gu;

/**
 * A spreadsheet would run a text that people wrote as a formula (OWASP, CSV Injection). Some drop
 * white space and quotes before they look, and take full-width characters for the usual ones.
 */
const harmless = (text: string): string =>
  text.replaceAll(BEGINNINGS, (first) =>
    /^[=+\-@]/.test(first.normalize("NFKC")) ? `'${first}` : first,
  );
