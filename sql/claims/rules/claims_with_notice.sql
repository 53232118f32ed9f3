create or replace trigger claims_with_notice
  after insert or update of start_time on parking.claims
  for each row
  when (
    row_security_active('parking.claims') -- binds people, not the owner of the table
    and new.start_time < clock_timestamp()
      + make_interval(mins => (private.limits_of(new.spot_id)).claim_notice_minutes)
  )
  execute function private.enforce_limit('start');

comment on trigger claims_with_notice on parking.claims is
  E'@field start_time\nThe claim starts sooner than the building allows';
