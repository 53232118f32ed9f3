drop policy if exists claims_updated_by_claimer on parking.claims;
create policy claims_updated_by_claimer on parking.claims
  for update to parking_api
  using (claimer_id = (select private.caller_id()));

comment on policy claims_updated_by_claimer on parking.claims is
  E'@de Sie können nur Ihre eigenen Reservierungen ändern.\nYou can only update your own claims';
