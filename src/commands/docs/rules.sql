/* The sections of docs/rules.md, one for each table. */
with rules as (
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
    left join pg_class t
           on t.relname = r."table" and t.relnamespace in ('parking'::regnamespace, 'private'::regnamespace)
),
rows as (
  select r."table", r.name,
         array[
           format('`%s`', r.name), r.kind, r.status::text, r.message,
           -- The name and the table of a trigger have columns of their own.
           format('`%s`', regexp_replace(
             regexp_replace(r.definition, '^CREATE (CONSTRAINT )?TRIGGER \S+ ', ''),
             ' ON parking\.\w+( NOT DEFERRABLE INITIALLY IMMEDIATE)?', ''
           ))
         ] as cells
    from rules r
)
select format(
         E'## %s\n\n| Rule | Kind | Status | Message | Holds |\n| --- | --- | --- | --- | --- |\n%s',
         r."table",
         string_agg(
           format('| %s |', (
             select string_agg(replace(replace(c.text, '|', '\|'), E'\n', ' '), ' | ' order by c.number)
               from unnest(r.cells) with ordinality c (text, number)
           )),
           E'\n' order by r.name
         )
       ) as text
  from rows r
 group by r."table"
 order by r."table";
