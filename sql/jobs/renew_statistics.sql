/*
 * The planner's statistics hold values of the tables, also of what was erased since. Table by table, each in
 * a statement of its own, so that none takes long.
 */
create or replace function private.renew_statistics(number integer)
  returns boolean
  language plpgsql
  volatile
  security definer -- only the owner of a table may
  set search_path = ''
as $$
declare
  v_table regclass;
begin
  perform private.require_service();

  select c.oid into v_table
    from pg_catalog.pg_class c
   where c.relnamespace in ('parking'::regnamespace, 'private'::regnamespace)
     and c.relkind = 'r'
   order by c.oid
  offset renew_statistics.number - 1
   limit 1;

  if v_table is null then
    return false;
  end if;

  execute format('analyze %s', v_table);
  return true;
end;
$$;

comment on function private.renew_statistics is
  'Makes the statistics of one table anew, the first, the second and so on; false where there are no more. They keep nothing of what was erased then.';
grant execute on function private.renew_statistics to parking_api;
