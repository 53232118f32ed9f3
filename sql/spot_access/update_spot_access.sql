create or replace function api.update_spot_access(id uuid, access_notes text default null)
  returns parking.spot_access
  language plpgsql
  set search_path = ''
as $$
declare
  v_access parking.spot_access;
begin
  perform private.require_approved();

  -- Null leaves the notes as they are; an empty text clears them.
  insert into parking.spot_access as a (spot_id, owner_id, access_notes)
  select s.id, s.owner_id, nullif(update_spot_access.access_notes, '')
    from parking.spots s
   where s.id = update_spot_access.id
  on conflict on constraint spot_access_pkey do update
    set access_notes = nullif(coalesce(update_spot_access.access_notes, a.access_notes), '')
  returning * into v_access;

  if v_access.spot_id is null then
    perform private.refuse_absent('spot_access');
  end if;

  return v_access;
end;
$$;

comment on function api.update_spot_access is
  'Say how to get to your spot; only those who have claimed it read it, until their claim ends';
grant execute on function api.update_spot_access to parking_api;
