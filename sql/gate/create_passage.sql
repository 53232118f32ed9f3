/* A barrier that got no answer sends a passage again: it is kept once. Its clock may run ahead: what is to come was now. */
create or replace function api.create_passage(
    vehicle text,
    direction text,
    at timestamptz default now(),
    out is_kept boolean
)
  language plpgsql
  security definer -- a key writes no table; private.require_scope refuses all who may not note
  set search_path = ''
as $$
declare
  v_days integer;
begin
  perform private.require_scope('gate');
  select b.passage_days into v_days from parking.building b;

  is_kept := v_days > 0 and create_passage.at > now() - make_interval(days => v_days);
  insert into parking.passages (vehicle, direction, passed_at)
  select private.plate(create_passage.vehicle), create_passage.direction, least(create_passage.at, now())
   where is_kept
  on conflict on constraint passages_vehicle_passed_at_direction_key do nothing;
end;
$$;

comment on function api.create_passage is
  'Note that a vehicle passed the gate. It is kept for as many days as the building says; without any, not at all';
grant execute on function api.create_passage to parking_api;
