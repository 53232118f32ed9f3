import { describe, expect, it } from "@jest/globals";
import * as field from "../../src/contract/fields.ts";
import { resource } from "../../src/contract/schemas.ts";
import { csvWriter } from "../../src/rest/csv.ts";

const text = field.text("Anything", "What people wrote.");
const write = csvWriter(resource("Row", "A row.", { before: text, text, after: text }));

/** The cells that a spreadsheet with this separator finds, whether or not it heeds the quotes. */
function cellsOf(csv: string, separator: string): readonly string[] {
  const plain =
    separator === "," ? [] : csv.split(/\r\n|[\r\n]/).flatMap((row) => row.split(separator));
  return [...plain, ...heeding(csv, separator)];
}

/** RFC 4180: within a cell that begins with a quote, two stand for one, and one ends it. */
function heeding(csv: string, separator: string): readonly string[] {
  const cells: string[] = [];
  let cell = "";
  let isNew = true;
  let isQuoted = false;
  for (const character of csv.replaceAll('""', "\0")) {
    if (isQuoted && character !== '"') cell += character;
    else if (character === '"' && (isQuoted || isNew)) isQuoted = !isQuoted;
    else if (character === "\0" && isNew)
      continue; // an empty cell in quotes, and what follows them
    else if ([separator, "\r", "\n"].includes(character)) {
      cells.push(cell);
      cell = "";
      isNew = true;
      continue;
    } else cell += character;
    isNew = false;
  }
  return cells.map((it) => it.replaceAll("\0", '"'));
}

/** Some drop white space and quotes before they look, and take the wide characters for the narrow. */
const isFormula = (cell: string): boolean => /^[\s"]*[=+\-@]/.test(cell.normalize("NFKC"));

const starts = ["=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣", "﹫", "⁼", "₊"];
const befores = [
  "",
  "x;",
  "x; ",
  'x;"',
  'x;""',
  '";',
  'x;" "',
  "x\t",
  "x|",
  "x\n",
  "x\r\n",
  "x;y;",
  ";;",
  " ",
  "\t",
  "\r",
];

describe("a text in CSV", () => {
  it.each([",", ";", "\t", "|"])("is no formula where %j separates the cells", (separator) => {
    const formulas: string[] = [];
    for (const before of befores)
      for (const start of starts) {
        const csv = write([["a", `${before}${start}1+1`, "z"]]);
        const found = cellsOf(csv, separator).filter(isFormula);
        if (found.length > 0) formulas.push(JSON.stringify({ before, start, found }));
      }
    expect(formulas).toEqual([]);
  });

  it.each([
    "North",
    "A-1",
    "a = b; c",
    "Floor 1, -2",
    "x;y",
    "e-mail: me@demo.example",
    'the "=" sign',
    "３＋４",
  ])("stays as it is without one: %s", (value) => {
    expect(heeding(write([["a", value, "z"]]), ",")).toContain(value);
  });
});

describe("a file in German", () => {
  const share = { type: "number", description: "", example: 0.5 } as const;
  const row = resource("Row", "A row.", { text, share, count: field.count("How many.") });

  it("separates cells by semicolons, and has a comma in numbers", () => {
    const rows = [
      ["North, left; 1.5", "0.5", "3"],
      ["1.5", "-1.25", null],
    ];
    expect(csvWriter(row, "de")(rows)).toBe(
      'text;share;count\r\n"North, left; 1.5";0,5;3\r\n1.5;-1,25;\r\n',
    );
    expect(csvWriter(row)(rows)).toBe(
      'text,share,count\r\n"North, left; 1.5",0.5,3\r\n1.5,-1.25,\r\n',
    );
    expect(csvWriter(row)([])).toBe("text,share,count\r\n");
  });
});
