create or replace function api.get_availability(id uuid)
  returns json
  language plpgsql
  stable
  security invoker
  set search_path = ''
as $$
declare
  v_availability parking.availabilities;
begin
  perform private.require_approved();

  select a.* into v_availability
    from parking.availabilities a
   where a.id = get_availability.id;

  if not found then
    perform private.refuse_absent('availabilities');
  end if;

  return json_build_object('availability', private.availability_json(v_availability));
end;
$$;

comment on function api.get_availability is
  'One window';
grant execute on function api.get_availability to parking_api;
