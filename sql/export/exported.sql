create or replace function private.exported(member text, ids uuid[])
  returns setof jsonb
  language sql
  stable
  security definer -- the log, sign-in data and counts are closed to the API role; these are only the caller's own
  set search_path = ''
as $$
  select jsonb_strip_nulls(e.record)
    from private.exports e
   where e.member = exported.member
     and e.person_id = (select private.caller_id())
     and e.id = any (exported.ids)
   order by e.id
$$;

comment on function private.exported is
  'The records that are held about the caller under these ids, of one member of the export.';
grant execute on function private.exported to parking_api;
