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
