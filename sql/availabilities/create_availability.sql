create or replace function api.create_availability(
    spot_id uuid,
    start_time timestamptz,
    end_time timestamptz
)
  returns parking.availabilities
  language plpgsql
  set search_path = ''
as $$
declare
  v_availability parking.availabilities;
begin
  perform private.require_approved();

  insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
  select s.id, s.owner_id, create_availability.start_time, create_availability.end_time
    from parking.spots s
   where s.id = create_availability.spot_id
  returning * into v_availability;

  if v_availability.id is null then
    perform private.refuse('availabilities_of_a_spot', '23503');
  end if;

  return v_availability;
end;
$$;

comment on function api.create_availability is
  'Publish a window in which your spot may be claimed';
grant execute on function api.create_availability to parking_api;
