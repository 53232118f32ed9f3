/* Copies the comment of each column of a table, and whether it can be null, to the view: from the building before the limits. */
do $$
declare
  v_column record;
begin
  for v_column in
    select v.attrelid::regclass as view,
           v.attname as name,
           case when t.attnotnull then E'@notNull\n' else '' end
             || col_description(t.attrelid, t.attnum) as comment
      from pg_catalog.pg_attribute v
      join pg_catalog.pg_attribute t using (attname)
     where (v.attrelid, t.attrelid) in (
             ('parking.sections'::regclass, 'parking.limits'::regclass),
             ('parking.buildings'::regclass, 'parking.limits'::regclass),
             ('parking.buildings'::regclass, 'parking.building'::regclass)
           )
       and t.attnum > 0
       and t.attname <> 'building_section'
     order by t.attrelid = 'parking.building'::regclass
  loop
    execute format('comment on column %s.%I is %L', v_column.view, v_column.name, v_column.comment);
  end loop;
end;
$$;
