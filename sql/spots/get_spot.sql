create or replace function api.get_spot(id uuid)
  returns json
  language plpgsql
  stable
  security invoker
  set search_path = ''
as $$
declare
  v_spot parking.spots;
begin
  perform private.require_approved();

  select s.* into v_spot
    from parking.spots s
   where s.id = get_spot.id;

  if not found then
    perform private.refuse_absent('spots');
  end if;

  return json_build_object('spot', private.spot_json(v_spot));
end;
$$;

comment on function api.get_spot is
  'One spot';
grant execute on function api.get_spot to parking_api;
