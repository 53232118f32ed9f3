/*
 * Millions of rows are added much faster to tables without indexes. This drops those of the large
 * tables, with the constraints that need them, and keeps what restore-indexes.sql needs.
 */
create temporary table dropped as
select
    'constraint' as kind,
    c.contype = 'f' as is_reference,
    c.conrelid::regclass::text as "table",
    quote_ident(c.conname) as name,
    format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
      || case when c.contype = 'f' then ' not valid' else '' end as definition,
    obj_description(c.oid, 'pg_constraint') as comment
  from pg_constraint c
 where c.conrelid in ('parking.availabilities'::regclass, 'parking.claims'::regclass)
   and c.contype in ('f', 'u', 'x')
union all
select
    'index',
    false,
    i.indrelid::regclass::text,
    i.indexrelid::regclass::text,
    pg_get_indexdef(i.indexrelid),
    obj_description(i.indexrelid, 'pg_class')
  from pg_index i
 where i.indrelid in ('parking.availabilities'::regclass, 'parking.claims'::regclass)
   and not exists (select from pg_constraint c where c.conindid = i.indexrelid);

do $$
declare
  v_dropped dropped;
begin
  for v_dropped in select * from dropped order by is_reference desc loop
    if v_dropped.kind = 'constraint' then
      execute format('alter table %s drop constraint %s', v_dropped."table", v_dropped.name);
    else
      execute format('drop index %s', v_dropped.name);
    end if;
  end loop;
end;
$$;
