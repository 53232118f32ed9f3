/* A new window is on offer but for the times that its owner keeps. Nobody has claimed it, so its spot need not be reconciled. */
create or replace function private.offer_unkept()
  returns trigger
  language plpgsql
  security definer -- nobody writes what follows from the rows, and the API role may take no turn
  set search_path = ''
as $$
declare
  v_window constant tstzmultirange := tstzmultirange(tstzrange(new.start_time, new.end_time));
  v_offered tstzmultirange;
begin
  perform private.take_turn('plans', new.owner_id); -- see private.lock_plans
  v_offered := v_window - private.kept_times(new.spot_id, new.end_time);
  if v_offered <> v_window then
    new.offered := v_offered;
    new.free := private.spans(v_offered);
  end if;
  return new;
end;
$$;

comment on function private.offer_unkept is
  'Trigger function: sets what is offered of a new window.';

-- After private.lock_spot: triggers run in the order of their names.
create or replace trigger offer_unkept
  before insert on parking.availabilities
  for each row
  when (new.start_time < new.end_time and pg_relation_size('parking.exceptions', 'main') > 0)
  execute function private.offer_unkept();
