create or replace trigger claims_closed_stay_closed
  before update of status, start_time, end_time, guest, vehicle on parking.claims
  for each row
  when (
    old.status <> 'active'
    -- An administrator who gives a reason may cancel a claim that was completed before its end:
    -- nobody else could free its window.
    and not (
      old.status = 'completed'
      and old.updated_at < old.end_time -- nothing has changed it since it was completed
      and (new.status, new.start_time, new.end_time)
        is not distinct from ('cancelled', old.start_time, old.end_time)
      and private.reason() is not null
    )
    -- private.erase_person takes guests and vehicles out of what is over. The setting binds no people.
    and (
      current_setting('parking.erasing', true) is distinct from 'on'
      or row_security_active('parking.claims')
    )
  )
  execute function private.enforce_rule();

comment on trigger claims_closed_stay_closed on parking.claims is
  'Cannot change status from completed/cancelled';
