/* Keeps is_claimed of the window: true while an active or completed claim holds it. */
create or replace function private.mark_availability()
  returns trigger
  language plpgsql
  security definer -- the window belongs to the owner of the spot, not to the claimer
  set search_path = ''
as $$
declare
  -- At most one claim of a window is not cancelled (claims_one_per_availability). Only that claim
  -- counts; a change of a cancelled one never frees the window.
  v_before constant uuid :=
    case when tg_op <> 'INSERT' and old.status <> 'cancelled' then old.availability_id end;
  v_now constant uuid :=
    case when tg_op <> 'DELETE' and new.status <> 'cancelled' then new.availability_id end;
begin
  if v_now is distinct from v_before then
    update parking.availabilities a
       set is_claimed = (a.id is not distinct from v_now)
     where a.id in (v_before, v_now)
       -- Not when the spot was deleted: its windows are deleted after its claims.
       and exists (select from parking.spots s where s.id = a.spot_id);
  end if;
  return null;
end;
$$;

comment on function private.mark_availability is
  'Trigger function: sets is_claimed of the windows that a claim takes and frees.';

create or replace trigger mark_availability
  after insert or delete or update of status, availability_id on parking.claims
  for each row
  execute function private.mark_availability();
