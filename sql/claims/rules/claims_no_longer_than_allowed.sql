create or replace trigger claims_no_longer_than_allowed
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.enforce_limit('longest_claim_minutes');

comment on trigger claims_no_longer_than_allowed on parking.claims is
  E'@field end_time\n@de Die Reservierung ist länger, als hier erlaubt ist.\nThe claim is longer than the building allows';
