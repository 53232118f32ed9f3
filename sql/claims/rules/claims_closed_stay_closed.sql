create or replace trigger claims_closed_stay_closed
  before update of status, start_time, end_time, guest, vehicle on parking.claims
  for each row
  when (old.status <> 'active')
  execute function private.enforce_closed();

comment on trigger claims_closed_stay_closed on parking.claims is
  E'@de Diese Reservierung ist schon beendet oder storniert.\nCannot change status from completed/cancelled';
