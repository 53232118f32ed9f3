export const meanings = [
  "email",
  "full_name",
  "first_name",
  "last_name",
  "apartment_number",
  "spot_number",
  "building_section",
] as const;
export type Meaning = (typeof meanings)[number];

interface Column {
  /** The title in the list; empty if the list has no titles. */
  readonly title: string;
  /** Undefined if the column is left out. */
  readonly meaning: Meaning | undefined;
}

export interface List {
  readonly columns: readonly Column[];
  /** Each row with its number in the file, counted as in spreadsheets. */
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

/** The words in titles, in English and German. The first match counts. */
const words: readonly (readonly [Meaning, RegExp])[] = [
  ["email", /mail/i],
  ["first_name", /vorname|first|given/i],
  ["last_name", /nachname|familienname|surname|last|family/i],
  ["building_section", /section|bereich|abschnitt|level|ebene|deck|zone/i],
  ["spot_number", /spot|platz|plätze|parking|bay|space/i],
  ["apartment_number", /apartment|apt|flat|unit|wohnung|whg|wohneinheit/i],
  ["building_section", /garage/i],
  ["full_name", /name|person|resident|bewohner|mieter|eigent/i],
];

const meaningOf = (title: string): Meaning | undefined =>
  words.find(([, pattern]) => pattern.test(title))?.[0];

/** Finds the titles, if there are any, and what each column means. The person can correct it. */
export function listOf(table: readonly (readonly string[])[]): List {
  const lines = table.map((cells, index) => ({
    line: index + 1,
    cells: cells.map((cell) => cell.trim()),
  }));
  // There may be a heading above the titles.
  const titles = lines.findIndex(({ cells }) => isTitles(cells));
  const rows = lines.slice(titles + 1).filter(({ cells }) => cells.some((cell) => cell !== ""));
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const named = lines[titles]?.cells;
  const found = named ? named.map(meaningOf) : guess(rows.map(({ cells }) => cells));
  return {
    rows,
    columns: Array.from({ length: width }, (_, index) => ({
      title: named?.[index] ?? "",
      meaning: found[index],
    })),
  };
}

const isTitles = (cells: readonly string[]): boolean =>
  !cells.some(isAddress) && cells.filter((cell) => meaningOf(cell) !== undefined).length >= 2;

/** A rough test to find the column with addresses. The service decides whether they are valid. */
const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(addressIn(text));

/** The address in pasted text: `Carla <a@b.example>`, `mailto:a@b.example`, `a@b.example;`. */
export const addressIn = (text: string): string =>
  (/<(.*)>/.exec(text)?.[1] ?? text).replace(/^\s*mailto:|[\s;,]+$/gi, "").trim();

/** Without titles, addresses are recognised by their @, and numbers by their digits. */
function guess(rows: readonly (readonly string[])[]): readonly (Meaning | undefined)[] {
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const left: Record<"words" | "numbers", Meaning[]> = {
    words: ["full_name", "building_section"],
    numbers: ["apartment_number", "spot_number"],
  };
  return Array.from({ length: width }, (_, index) => {
    const cells = rows.map((row) => row[index] ?? "").filter((cell) => cell !== "");
    const share = (fits: (cell: string) => boolean) => cells.filter(fits).length / cells.length;
    if (share(isAddress) > 0.5) return "email";
    return left[share((cell) => /\d/.test(cell)) > 0.5 ? "numbers" : "words"].shift();
  });
}

/**
 * Spreadsheets write UTF-8 or UTF-16 ("Unicode text"), with or without a byte order mark, or the
 * old Windows code page, whose umlauts are not valid UTF-8. Only UTF-16 contains zero bytes: half
 * of each separator is one.
 */
export function textOfFile(bytes: ArrayBuffer): string {
  const all = new Uint8Array(bytes);
  const mark = (all[0] ?? 0) * 256 + (all[1] ?? 0);
  const zeros = (place: number) =>
    all.filter((it, index) => it === 0 && index % 2 === place).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (mark === 0xfeff || even > odd) return new TextDecoder("utf-16be").decode(bytes);
  if (mark === 0xfffe || odd > 0) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

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
