create or replace trigger claims_kept_after_cutoff
  before delete or update of status, start_time, end_time on parking.claims
  for each row
  when (old.status = 'active')
  execute function private.enforce_cutoff();

comment on trigger claims_kept_after_cutoff on parking.claims is
  E'@status 409\n@de Es ist zu spät, diese Reservierung zu stornieren oder zu verschieben.\nIt is too late to cancel or move this claim';
