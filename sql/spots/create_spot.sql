create or replace function api.create_spot(
    spot_number text,
    building_section text,
    notes text default null
)
  returns parking.spots
  language plpgsql
  set search_path = ''
as $$
declare
  v_spot parking.spots;
begin
  perform private.require_approved();

  insert into parking.spots (spot_number, building_section, notes)
  values (create_spot.spot_number, create_spot.building_section, create_spot.notes)
  returning * into v_spot;

  return v_spot;
end;
$$;

comment on function api.create_spot is
  'Register a spot as your own, not yet verified';
grant execute on function api.create_spot to parking_api;
