import type { Pool } from "pg";
import { OperatorError } from "../errors/operator-error.ts";
import type { FieldSchema } from "./fields.ts";
import { oneLine } from "./one-line.ts";

/** How long or large the values of a column may be, and of which characters a text is. */
type Form = Pick<FieldSchema, "minLength" | "maxLength" | "minimum" | "maximum" | "pattern">;

/** What the database says of a column. */
interface Column {
  readonly description: string;
  readonly form: Form;
}

export interface Columns {
  /** By names such as `spots.spot_number`. */
  readonly byName: ReadonlyMap<string, Column>;
  /** What the tables hold. */
  readonly tables: ReadonlyMap<string, string>;
  /** What a text on one line consists of. */
  readonly oneLine: string;
}

interface ColumnRow {
  readonly column: string;
  readonly name: string;
  readonly comment: string | null;
  readonly checks: readonly string[];
}

/** Our tables have policies. A copy of the same name, which a DBA made in the other schema, has none. */
const IS_OURS = "(c.relrowsecurity or c.relkind = 'v')";

/** Reads the comments and the checks of all columns. */
export async function readColumns(pool: Pool): Promise<Columns> {
  const { rows } = await pool.query<ColumnRow>(`
    select a.attname as column,
           c.relname || '.' || a.attname as name,
           col_description(c.oid, a.attnum) as comment,
           array(
             select pg_get_constraintdef(k.oid)
               from pg_catalog.pg_constraint k
              where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any (k.conkey)
           ) as checks
      from pg_catalog.pg_attribute a
      join pg_catalog.pg_class c on c.oid = a.attrelid
     where c.relnamespace in (to_regnamespace('parking'), to_regnamespace('private'))
       and ${IS_OURS}
       and a.attnum > 0
       and not a.attisdropped`);
  return {
    byName: new Map(
      rows.map(({ column, name, comment, checks }) => [
        name,
        { description: comment ?? "", form: widest(checks.map((it) => formOf(column, it))) },
      ]),
    ),
    tables: await readTables(pool),
    oneLine: oneLine(await readInvisibleCharacters(pool)),
  };
}

/** The comments of tables and views, without their tags. */
async function readTables(pool: Pool): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ name: string; comment: string }>(`
    select c.relname as name, obj_description(c.oid, 'pg_class') as comment
      from pg_catalog.pg_class c
     where c.relnamespace in (to_regnamespace('parking'), to_regnamespace('private'))
       and ${IS_OURS}
       and obj_description(c.oid, 'pg_class') is not null`);
  return new Map(rows.map(({ name, comment }) => [name, comment.replace(/^(?:@.*\n)+/, "")]));
}

async function readInvisibleCharacters(pool: Pool): Promise<string> {
  const { rows } = await pool
    .query<{ characters: string }>("select private.invisible_characters() as characters")
    .catch((cause: Error) => {
      throw new OperatorError(`${cause.message}: run npm run migrate`, { cause });
    });
  return rows[0]?.characters ?? "";
}

/** Several rules may be about a column. Each refuses with its own message what only it refuses. */
const widest = (forms: readonly Form[]): Form =>
  forms.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0] ?? {};

const sizeOf = ({ maxLength, maximum }: Form): number => maxLength ?? maximum ?? -1;

/**
 * What a check, as PostgreSQL writes it, says of the form of a column: what the terms that are known
 * here say. Of a check that is more than terms which must all hold, nothing is known.
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
