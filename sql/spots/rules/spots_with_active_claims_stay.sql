/* A spot that somebody has an active claim on stays: the claimer relies on it. */
create or replace function private.enforce_no_active_claims()
  returns trigger
  language plpgsql
  security definer -- reads and locks the claims of all residents
  set search_path = ''
as $$
begin
  -- The lock of the spot keeps new claims out (private.lock_spot). These may be closed or made to
  -- last longer at this moment.
  perform
     from parking.claims c
    where c.spot_id = old.id
      and c.status = 'active'
    order by c.id
      for update;

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

create or replace trigger spots_with_active_claims_stay
  before delete on parking.spots
  for each row
  execute function private.enforce_no_active_claims();

comment on trigger spots_with_active_claims_stay on parking.spots is
  E'@status 409\n@de Dieser Stellplatz ist reserviert. Er lässt sich entfernen, sobald diese Reservierungen vorbei sind.\nCannot delete a parking spot with active claims';
