create or replace trigger claims_kept_after_cutoff
  before delete or update of status, start_time, end_time on parking.claims
  for each row
  when (
    old.status = 'active'
    and row_security_active('parking.claims') -- binds people, not the owner of the table
    and clock_timestamp() > old.start_time
      - make_interval(mins => (private.limits_of(old.spot_id)).cancellation_cutoff_minutes)
    and private.reason() is null -- an administrator who gives a reason may
  )
  execute function private.enforce_cutoff();

comment on trigger claims_kept_after_cutoff on parking.claims is
  E'@status 409\nIt is too late to cancel or move this claim';
