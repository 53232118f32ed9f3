create or replace function private.keep_page_files(names text[], contents bytea[])
  returns void
  language plpgsql
  security invoker -- for the owner, at a migration: no grant to the API role
  set search_path = ''
as $$
declare
  v_newest integer := coalesce((select max(p.release) from private.page_files p), 0);
begin
  -- A restart of the newest version is no new release.
  if (
    select coalesce(array_agg(p.name order by p.name), '{}') = array(select unnest(keep_page_files.names) order by 1)
      from private.page_files p
     where p.release = v_newest
  ) then
    return;
  end if;

  insert into private.page_files (name, content, release)
  select f.name, f.content, v_newest + 1
    from unnest(keep_page_files.names, keep_page_files.contents) f (name, content)
  on conflict (name) do update set release = excluded.release;

  delete from private.page_files p
   where p.release < v_newest - 1;
end;
$$;

comment on function private.keep_page_files is
  'Adds the files of a version of the page, and drops those that only versions before the last two had.';
