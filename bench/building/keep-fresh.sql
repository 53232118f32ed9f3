/* The first minute of a building lasts as long as the benchmark. */
do $$
declare
  v_table regclass;
begin
  for v_table in
    select c.oid
      from pg_class c
     where c.relkind = 'r'
       and c.relnamespace in ('parking'::regnamespace, 'private'::regnamespace)
  loop
    execute format('alter table %s set (autovacuum_enabled = false)', v_table);
  end loop;
end;
$$;
