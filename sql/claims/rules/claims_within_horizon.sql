create or replace trigger claims_within_horizon
  after insert or update of start_time, end_time on parking.claims
  for each row
  when (
    row_security_active('parking.claims') -- binds people, not the owner of the table
    and new.end_time
      > private.days_after(clock_timestamp(), (private.limits_of(new.spot_id)).horizon_days)
  )
  execute function private.enforce_limit('end');

comment on trigger claims_within_horizon on parking.claims is
  E'@field end_time\nThe claim ends further ahead than the building allows';
