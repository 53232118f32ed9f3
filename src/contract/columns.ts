import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseError, type Pool } from "pg";
import { otherVersion } from "../errors/operator-error.ts";
import type { FieldSchema } from "./fields.ts";
import { oneLine } from "./one-line.ts";

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
