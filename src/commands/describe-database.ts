import type { ClientBase } from "pg";
import { GENERATED, markdownTable } from "./markdown.ts";

interface RuleRow {
  readonly name: string;
  readonly table: string;
  readonly kind: string;
  readonly status: number;
  readonly message: string;
  readonly definition: string;
}

/** Every rule: its definition, and the status and message for a caller who breaks it. */
export async function describeRules(client: ClientBase): Promise<string> {
  const { rows } = await client.query<RuleRow>(`
    select r.name, r."table", r.kind, r.status, r.message,
           coalesce(
             (select pg_get_constraintdef(c.oid) from pg_constraint c
               where c.conname = r.name and c.contype <> 't'
                 and (c.conrelid = t.oid or c.contypid = to_regtype('private.' || r."table"))),
             (select pg_get_indexdef(i.indexrelid) from pg_index i
               where i.indrelid = t.oid and i.indexrelid::regclass::text = 'parking.' || r.name),
             (select pg_get_triggerdef(g.oid) from pg_trigger g
               where g.tgrelid = t.oid and g.tgname = r.name),
             (select concat_ws(' ', 'for', case p.polcmd when 'a' then 'insert' when 'w' then 'update'
                                                         when 'd' then 'delete' else 'all' end,
                               coalesce(pg_get_expr(p.polwithcheck, t.oid), pg_get_expr(p.polqual, t.oid)))
                from pg_policy p where p.polrelid = t.oid and p.polname = r.name)
           ) as definition
      from private.rules r
      left join pg_class t on t.relname = r."table" and t.relnamespace in ('parking'::regnamespace, 'private'::regnamespace)
     order by r."table", r.name`);
  const tables = Object.entries(Object.groupBy(rows, (rule) => rule.table));
  return [
    "# Rules",
    GENERATED,
    "The database enforces these rules for every writer: REST, GraphQL and direct SQL. A caller who breaks one gets its message, and REST answers with its status.",
    ...tables.flatMap(([table, rules = []]) => [
      `## ${table}`,
      markdownTable(
        ["Rule", "Kind", "Status", "Message", "Holds"],
        rules.map((rule) => [
          `\`${rule.name}\``,
          rule.kind,
          String(rule.status),
          rule.message,
          `\`${withoutPreamble(rule.definition)}\``,
        ]),
      ),
    ]),
  ]
    .join("\n\n")
    .concat("\n");
}

/** The name and the table of a trigger have columns of their own. */
const withoutPreamble = (definition: string): string =>
  definition
    .replace(/^CREATE (CONSTRAINT )?TRIGGER \S+ /, "")
    .replace(/ ON parking\.\w+( NOT DEFERRABLE INITIALLY IMMEDIATE)?/, "");

interface ColumnRow {
  readonly table: string;
  readonly table_comment: string;
  readonly name: string;
  readonly type: string;
  readonly is_required: boolean;
  readonly comment: string | null;
  readonly key: string;
}

/** The tables, their columns, and their foreign keys. */
export async function describeSchema(client: ClientBase): Promise<string> {
  const { rows: columns } = await client.query<ColumnRow>(`
    select format('%s.%s', n.nspname, t.relname) as "table", regexp_replace(obj_description(t.oid), '^(?:@\\w+ [^\\n]*\\n)+', '') as table_comment,
           a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as is_required,
           col_description(t.oid, a.attnum) as comment,
           coalesce((select string_agg(distinct case c.contype when 'p' then 'PK' else 'FK' end, ',')
                       from pg_constraint c
                      where c.conrelid = t.oid and c.contype in ('p', 'f') and a.attnum = any (c.conkey)), '') as key
      from pg_class t
      join pg_namespace n on n.oid = t.relnamespace and n.nspname in ('parking', 'private', 'reporting')
      join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
     where t.relkind in ('r', 'v') and obj_description(t.oid) is not null
     order by n.nspname, t.relname, a.attnum`);
  const { rows: links } = await client.query<{ from: string; to: string; name: string }>(`
    select f.relname as "from", t.relname as "to", c.conname as name
      from pg_constraint c
      join pg_class f on f.oid = c.conrelid
      join pg_class t on t.oid = c.confrelid
     where c.contype = 'f' and c.connamespace in ('parking'::regnamespace, 'private'::regnamespace)
     order by 1, 2, 3`);
  const tables = Object.entries(Object.groupBy(columns, (column) => column.table));
  return [
    "# Schema",
    GENERATED,
    ["```mermaid", ...diagram(tables, links), "```"].join("\n"),
    ...tables.flatMap(([table, own = []]) => [
      `## ${table}`,
      own[0]?.table_comment ?? "",
      markdownTable(
        ["Column", "Type", "Required", ""],
        own.map((column) => [
          `\`${column.name}\``,
          column.type,
          column.is_required ? "yes" : "",
          column.comment ?? "",
        ]),
      ),
    ]),
  ]
    .join("\n\n")
    .concat("\n");
}

function diagram(
  tables: readonly [string, ColumnRow[] | undefined][],
  links: readonly { readonly from: string; readonly to: string; readonly name: string }[],
): string[] {
  const shown = tables.filter(([table]) =>
    links.some(({ from, to }) => [from, to].includes(bare(table))),
  );
  return [
    "erDiagram",
    ...links.map(({ from, to, name }) => `  ${to} ||--o{ ${from} : ${name}`),
    ...shown.flatMap(([table, columns = []]) => [
      `  ${bare(table)} {`,
      ...columns.map(({ type, name, key }) =>
        `    ${type.replace(/\W+/g, "_")} ${name} ${key}`.trimEnd(),
      ),
      "  }",
    ]),
  ];
}

const bare = (table: string): string => table.replace(/^\w+\./, "");
