create or replace function api.get_spot_access(id uuid)
  returns setof parking.spot_access
  language sql
  stable
  rows 1
as $$
  -- A person who may write notes finds an empty row where there are none.
  select s.id, s.owner_id, a.access_notes
    from parking.spots s
    left join parking.spot_access a on a.spot_id = s.id
   where s.id = get_spot_access.id
     and s.retired_at is null
     and (s.owner_id = (select private.caller_id()) or (select private.is_administrator()))
$$;

comment on function api.get_spot_access is
  'The access notes of your spot, or as an administrator of any; claimers find them among the contacts of their claim';
grant execute on function api.get_spot_access to parking_api;
