/* A spot that somebody has an active claim on stays: the claimer relies on it. */
create or replace function private.enforce_no_active_claims()
  returns trigger
  language plpgsql
  security definer -- reads the claims of all residents and locks all windows of the spot
  set search_path = ''
as $$
begin
  -- Waits for claims being made on the spot's windows, and makes later ones wait for the deletion.
  perform from parking.availabilities a where a.spot_id = old.id order by a.id for update;

  if exists (
    select from parking.claims c
     where c.spot_id = old.id
       and c.status = 'active'
       and c.end_time > clock_timestamp() -- nobody relies on a claim that has ended
  ) then
    perform private.refuse(tg_name, '23514');
  end if;
  return old;
end;
$$;

comment on function private.enforce_no_active_claims is
  'Trigger function: a spot with an active claim that has not ended is not deleted.';
