import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseError, type Pool } from "pg";
import { otherVersion } from "../errors/operator-error.ts";
import type { FieldSchema } from "./fields.ts";

const UNDEFINED_FUNCTION = "42883";

/** How long or large the values of a column may be, and which characters a text may contain. */
type Form = Pick<FieldSchema, "minLength" | "maxLength" | "minimum" | "maximum" | "pattern">;

/** What the database says about a table or a column. */
interface Column {
  readonly description: string;
  readonly form: Form;
}

export interface Columns {
  /** The keys are names such as `spots` and `spots.spot_number`. */
  readonly byName: ReadonlyMap<string, Column>;
  /** The pattern of a text on one line. */
  readonly oneLine: string;
  /** The columns for which a field needs a length or a range but no check gives one. */
  readonly unbounded: Set<string>;
}

interface ColumnRow {
  readonly name: string;
  readonly column: string | null;
  readonly description: string;
  readonly checks: readonly string[];
}

const SQL = readFileSync(join(import.meta.dirname, "columns.sql"), "utf8");

/** Reads the comments and the checks of all columns. */
export async function readColumns(pool: Pool): Promise<Columns> {
  const { rows } = await pool.query<ColumnRow>(SQL);
  return {
    byName: new Map(
      rows.map(({ name, column, description, checks }) => [
        name,
        { description, form: widest(checks.map((it) => formOf(column ?? "", it))) },
      ]),
    ),
    oneLine: oneLine(await readInvisibleCharacters(pool)),
    unbounded: new Set(),
  };
}

async function readInvisibleCharacters(pool: Pool): Promise<string> {
  const { rows } = await pool
    .query<{ characters: string }>("select private.invisible_characters() as characters")
    .catch((error: unknown) => {
      const isMissing = error instanceof DatabaseError && error.code === UNDEFINED_FUNCTION;
      throw isMissing ? otherVersion("The database lacks private.invisible_characters()") : error;
    });
  return rows[0]?.characters ?? "";
}

/** Several rules may limit a column. Each refuses with its own message what only it refuses. */
const widest = (forms: readonly Form[]): Form =>
  forms.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0] ?? {};

const sizeOf = ({ maxLength, maximum }: Form): number => maxLength ?? maximum ?? -1;

/**
 * The form of a column according to a check, as PostgreSQL prints the check. It comes from the
 * terms that are known here. If the check is more than terms that must all hold, nothing is known.
 */
export function formOf(column: string, check: string): Form {
  if (/\b(OR|NOT|CASE)\b/.test(check.replace(/ NOT VALID$/, ""))) return {};
  const terms = check.replace(/^CHECK \(+/, "").replace(/\)+(?: NOT VALID)?$/, "");
  return Object.assign({}, ...terms.split(/\)* AND \(*/).map((term) => formOfTerm(column, term)));
}

function formOfTerm(column: string, term: string): Form {
  const [, text, shortest, longest] =
    /^(?:private\.)?is_one_line\((\w+), (\d+), (\d+)$/.exec(term) ?? [];
  if (text === column) return { minLength: Number(shortest), maxLength: Number(longest) };

  const [, matched, pattern] = /^(\w+) ~ '(\^\[[\w +()./-]+\]\*\$)'::text$/.exec(term) ?? [];
  if (matched === column && pattern) return { pattern };

  const [, lowest, least] = /^(?:LEAST\()?([\w, ]+?)\)? >= (\d+)$/.exec(term) ?? [];
  if (lowest?.split(", ").includes(column)) return { minimum: Number(least) };

  const [, highest, most] = /^(?:GREATEST\()?([\w, ]+?)\)? <= (\d+)$/.exec(term) ?? [];
  return highest?.split(", ").includes(column) ? { maximum: Number(most) } : {};
}

interface Range {
  readonly first: number;
  readonly last: number;
}

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;
const from = (first: number, last: number): string =>
  first === last ? escaped(first) : `${escaped(first)}-${escaped(last)}`;

/** The surrogate pairs of a range beyond U+FFFF: for each first half, a range of second halves. */
function pairsOf({ first, last }: Range): readonly string[] {
  const pairs: string[] = [];
  for (let start = first; start <= last; start = (start | 0x3ff) + 1) {
    const end = Math.min(last, start | 0x3ff);
    const [high = 0, low = 0] = unitsOf(start);
    pairs.push(`${escaped(high)}[${from(low, unitsOf(end)[1] ?? 0)}]`);
  }
  return pairs;
}

const unitsOf = (code: number): readonly number[] => {
  const text = String.fromCodePoint(code);
  return [text.charCodeAt(0), text.charCodeAt(1)];
};

/** `\u00ad` and `\U000e0000-\U000e0fff`, as PostgreSQL writes them in a regular expression. */
const RANGE = /\\[uU]([\da-f]{4,8})(?:-\\[uU]([\da-f]{4,8}))?/g;

/**
 * The pattern of texts that contain none of these characters and no lone surrogates. The service
 * uses it without the flag `u`, and then it is exact. If clients use the flag, it only accepts some
 * pairs that the service refuses.
 * @param invisible the result of private.invisible_characters()
 */
function oneLine(invisible: string): string {
  if (invisible.replaceAll(RANGE, "") !== "")
    throw new Error(`private.invisible_characters() has other things than \\u…: ${invisible}`);
  const ranges = Array.from(invisible.matchAll(RANGE), ([, first = "", last = first]) => ({
    first: Number.parseInt(first, 16),
    last: Number.parseInt(last, 16),
  }));
  const units = ranges.filter(({ last }) => last <= 0xffff).map((it) => from(it.first, it.last));
  const pairs = ranges.filter(({ first }) => first > 0xffff).flatMap(pairsOf);
  // PostgreSQL has no U+0000.
  return (
    `^(?:[^\\u0000${units.join("")}\\ud800-\\udfff]` +
    `|(?!${pairs.join("|")})[\\ud800-\\udbff][\\udc00-\\udfff])*$`
  );
}
