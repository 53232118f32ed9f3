create or replace trigger claims_no_shorter_than_allowed
  after insert or update of start_time, end_time on parking.claims
  for each row
  execute function private.enforce_limit('shortest_claim_minutes');

comment on trigger claims_no_shorter_than_allowed on parking.claims is
  E'@field end_time\n@de Die Reservierung ist kürzer, als hier erlaubt ist.\nThe claim is shorter than the building allows';
