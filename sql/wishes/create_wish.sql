create or replace function api.create_wish(
    start_time timestamptz,
    end_time timestamptz,
    building_section text default null,
    spot_id uuid default null
)
  returns parking.wishes
  language plpgsql
  set search_path = ''
as $$
declare
  v_wish parking.wishes;
begin
  perform private.require_approved();

  insert into parking.wishes (start_time, end_time, building_section, spot_id)
  values (
    create_wish.start_time, create_wish.end_time, create_wish.building_section, create_wish.spot_id
  )
  returning * into v_wish;

  return v_wish;
end;
$$;

comment on function api.create_wish is
  'Wait for a spot: you are told when a window becomes free that has all of this time';
grant execute on function api.create_wish to parking_api;
