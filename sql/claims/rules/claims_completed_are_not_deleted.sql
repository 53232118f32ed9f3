create or replace trigger claims_completed_are_not_deleted
  before delete on parking.claims
  for each row
  when (old.status = 'completed')
  execute function private.enforce_rule();

comment on trigger claims_completed_are_not_deleted on parking.claims is
  E'@de Eine beendete Reservierung bleibt in der Liste.\nCannot delete a completed claim';
