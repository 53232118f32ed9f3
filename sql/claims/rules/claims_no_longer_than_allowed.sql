create or replace trigger claims_no_longer_than_allowed
  after insert or update of start_time, end_time on parking.claims
  for each row
  when (
    new.status = 'active' -- a claim that is completed early becomes shorter
    and row_security_active('parking.claims') -- binds people, not the owner of the table
    and new.end_time - new.start_time
      > make_interval(mins => (private.limits_of(new.spot_id)).longest_claim_minutes)
  )
  execute function private.enforce_limit('length');

comment on trigger claims_no_longer_than_allowed on parking.claims is
  E'@field end_time\nThe claim is longer than the building allows';
