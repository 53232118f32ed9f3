create or replace trigger claims_close_with_their_times
  before update of start_time, end_time on parking.claims
  for each row
  when (
    old.status = 'active'
    and new.status <> 'active'
    and (new.start_time, new.end_time) is distinct from (old.start_time, old.end_time)
  )
  execute function private.enforce_rule();

comment on trigger claims_close_with_their_times on parking.claims is
  E'@de Die Zeiten einer Reservierung lassen sich nicht ändern, während sie beendet oder storniert wird.\nClaim times cannot be changed while completing or cancelling the claim';
