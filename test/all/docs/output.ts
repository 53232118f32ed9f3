import { stripVTControlCharacters } from "node:util";

/** What differs from one run to the next, in what a page prints. */
const VARIES: readonly RegExp[] = [
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/,
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/,
  /\d+(?:\.\d+)?(?= (?:ms|s|kB|MB)\b)/,
  /(?<=process )\d+/,
  /\b\d{10}\b/,
  /…/,
];
const EITHER = new RegExp(VARIES.map(({ source }) => source).join("|"), "g");

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** A line of a page as a pattern: what varies fits anything of its kind, and … anything. */
function lineAsPattern(line: string): string {
  const fixed = line.split(EITHER).map(escaped);
  const varying = [...line.matchAll(EITHER)].map(([text]) =>
    text === "…"
      ? ".*"
      : (VARIES.find((it) => new RegExp(`^${it.source}`).test(text)) ?? /\d+(?:\.\d+)?/).source,
  );
  return fixed.map((text, index) => text + (varying[index] ?? "")).join("");
}

/** Without colours, psql's count of rows, blank lines and the width of columns. */
const plain = (text: string): readonly string[] =>
  stripVTControlCharacters(text)
    .split("\n")
    .map((line) => line.replace(/ +/g, " ").replace(/-{3,}/g, "---").trim())
    .filter((line) => line !== "" && !/^\(\d+ rows?\)$/.test(line));

/** Whether a command printed what the page says; a line … stands for any lines. */
export function isAsPrinted(printed: string, output: string): boolean {
  const lines = plain(printed).map((line) =>
    line === "…" ? "(?:.*\\n)*?" : `${lineAsPattern(line)}\\n`,
  );
  return new RegExp(`^${lines.join("")}$`).test(`${plain(output).join("\n")}\n`);
}

export const readable = (text: string): string => plain(text).join("\n");
