create or replace function api.export_profile()
  returns table (member text, ids uuid[])
  language plpgsql
  stable
  security invoker -- private.exported_ids and private.exported show the caller's own records only
  set search_path = ''
as $$
begin
  if not exists (select from parking.profiles p where p.id = (select private.caller_id())) then
    perform private.refuse_absent('profiles', requires_approval => false);
  end if;

  return query select e.member, e.ids from private.exported_ids() e;
end;
$$;

comment on function api.export_profile is
  'All that the service holds about you; also before approval';
grant execute on function api.export_profile to parking_api;

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

create or replace function private.exported_ids()
  returns table (member text, ids uuid[])
  language sql
  stable
  security definer -- the log, sign-in data and counts are closed to the API role; these are only the caller's own
  set search_path = ''
as $$
  select n.member, array_agg(n.id order by n.id)
    from (
      select x.member, x.id, (row_number() over (partition by x.member order by x.id) - 1) / 1000 as piece
        from (
          select distinct e.member, e.id
            from private.exports e
           where e.person_id = (select private.caller_id())
        ) x
    ) n
   group by n.member, n.piece
   order by n.member, n.piece
$$;

comment on function private.exported_ids is
  'The ids of all that is held about the caller, by members of the export, a thousand at most in each row.';
grant execute on function private.exported_ids to parking_api;
