drop policy if exists claims_deleted_by_claimer on parking.claims;
create policy claims_deleted_by_claimer on parking.claims
  for delete to parking_api
  using (claimer_id = (select private.caller_id()));

comment on policy claims_deleted_by_claimer on parking.claims is
  E'@de Sie können nur Ihre eigenen Reservierungen entfernen.\nYou can only delete your own claims';
