/* A barrier that got no answer sends a passage again: it is kept once. */
create or replace function private.note_passage(vehicle text, direction text, at timestamptz)
  returns boolean
  language plpgsql
  volatile
  security definer -- a key writes no table; private.require_scope refuses all who may not note
  set search_path = ''
as $$
declare
  v_days integer;
begin
  perform private.require_scope('gate');
  select b.passage_days into v_days from parking.building b;

  if note_passage.at <= now() - make_interval(days => v_days) then
    return false;
  end if;

  insert into parking.passages (vehicle, direction, passed_at)
  select private.plate(note_passage.vehicle), note_passage.direction, least(note_passage.at, now())
   where v_days > 0
  on conflict on constraint passages_vehicle_passed_at_direction_key do nothing;
  return v_days > 0;
end;
$$;

comment on function private.note_passage is
  'Notes that a vehicle passed the gate, for api.create_passage. A barrier''s clock may run ahead: what is to come was now.';
grant execute on function private.note_passage to parking_api;

create or replace function api.create_passage(
    vehicle text,
    direction text,
    at timestamptz default now(),
    out is_kept boolean
)
  language plpgsql
  set search_path = ''
as $$
begin
  is_kept := private.note_passage(create_passage.vehicle, create_passage.direction, create_passage.at);
end;
$$;

comment on function api.create_passage is
  'Note that a vehicle passed the gate. It is kept for as many days as the building says; without any, not at all';
grant execute on function api.create_passage to parking_api;
