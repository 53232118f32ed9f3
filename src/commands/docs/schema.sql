/* The parts of docs/schema.md: a diagram of the foreign keys, and a section for each table and view. */
with columns as (
  select n.nspname as schema, t.relname as "table", t.oid, a.attnum as number, a.attname as name,
         format_type(a.atttypid, a.atttypmod) as type,
         a.attnotnull or starts_with(col_description(t.oid, a.attnum), '@notNull') as is_required,
         regexp_replace(coalesce(col_description(t.oid, a.attnum), ''), '^(?:@\w+\n)+', '') as comment,
         regexp_replace(obj_description(t.oid), '^(?:@\w+ [^\n]*\n)+', '') as table_comment,
         (select ' ' || string_agg(distinct case c.contype when 'p' then 'PK' else 'FK' end, ',')
            from pg_constraint c
           where c.conrelid = t.oid and c.contype in ('p', 'f') and a.attnum = any (c.conkey)) as key
    from pg_class t
    join pg_namespace n on n.oid = t.relnamespace and n.nspname in ('parking', 'private', 'reporting', 'identity')
    join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
   where t.relkind in ('r', 'v') and obj_description(t.oid) is not null
),
links as (
  select c.conrelid, c.confrelid,
         format('  %s ||--o{ %s : %s', t.relname, f.relname, c.conname) as line,
         row_number() over (order by f.relname, t.relname, c.conname) as number
    from pg_constraint c
    join pg_class f on f.oid = c.conrelid
    join pg_class t on t.oid = c.confrelid
   where c.contype = 'f' and c.connamespace in ('parking'::regnamespace, 'private'::regnamespace, 'identity'::regnamespace)
),
boxes as (
  select format(E'  %s {\n%s\n  }', c."table", string_agg(
           format('    %s %s%s', regexp_replace(c.type, '\W+', '_', 'g'), c.name, c.key),
           E'\n' order by c.number
         )) as text, c.schema, c."table"
    from columns c
   where c.oid in (select l.conrelid from links l union select l.confrelid from links l)
   group by c.schema, c."table"
),
sections as (
  select format(
           E'## %s.%s\n\n%s\n\n| Column | Type | Required |  |\n| --- | --- | --- | --- |\n%s',
           c.schema, c."table", c.table_comment, string_agg(
             format(
               '| `%s` | %s | %s | %s |',
               c.name, c.type, case when c.is_required then 'yes' end, replace(c.comment, '|', '\|')
             ),
             E'\n' order by c.number
           )
         ) as text, c.schema, c."table"
    from columns c
   group by c.schema, c."table", c.table_comment
)
select format(E'```mermaid\nerDiagram\n%s\n%s\n```',
         (select string_agg(l.line, E'\n' order by l.number) from links l),
         (select string_agg(b.text, E'\n' order by b.schema, b."table") from boxes b)
       ) as text
union all
(select s.text from sections s order by s.schema, s."table");
