/* In the trigger's condition, which each statement reads anew, this would cost every cancellation more. */
create or replace function private.enforce_closed()
  returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- An administrator who gives a reason may cancel a claim that was completed before its end:
  -- nobody else could free its window.
  if old.status = 'completed'
    and old.updated_at < old.end_time -- nothing has changed it since it was completed
    and (new.status, new.start_time, new.end_time)
      is not distinct from ('cancelled', old.start_time, old.end_time)
    and private.reason() is not null
    and exists (select from api.get_spot(old.spot_id)) -- nobody can claim the window of a retired one
  then
    return new;
  end if;

  -- private.erase_person takes guests and vehicles out of what is over. The setting binds no people.
  if current_setting('parking.erasing', true) = 'on'
    and not row_security_active('parking.claims')
  then
    return new;
  end if;

  perform private.refuse(tg_name, '23514');
  return null;
end;
$$;

create or replace trigger claims_closed_stay_closed
  before update of status, start_time, end_time, guest, vehicle on parking.claims
  for each row
  when (old.status <> 'active')
  execute function private.enforce_closed();

comment on trigger claims_closed_stay_closed on parking.claims is
  E'@de Diese Reservierung ist schon beendet oder storniert.\nCannot change status from completed/cancelled';
