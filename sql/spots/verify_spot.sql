create or replace function api.verify_spot(id uuid, is_verified boolean default null)
  returns parking.spots
  language plpgsql
  set search_path = ''
as $$
declare
  v_spot parking.spots;
begin
  perform private.require_administrator();

  update parking.spots s
     set is_verified = coalesce(verify_spot.is_verified, s.is_verified)
   where s.id = verify_spot.id
  returning * into v_spot;

  if not found then
    perform private.refuse_unchanged('spots');
  end if;

  return v_spot;
end;
$$;

comment on function api.verify_spot is
  'Verify a spot, or take that back';
grant execute on function api.verify_spot to parking_api;
