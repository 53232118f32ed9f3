create or replace trigger availabilities_within_horizon
  after insert or update of start_time, end_time on parking.availabilities
  for each row
  when (
    row_security_active('parking.availabilities') -- binds people, not the owner of the table
    and new.end_time
      > private.days_after(clock_timestamp(), (private.limits_of(new.spot_id)).horizon_days)
  )
  execute function private.enforce_limit('end');

comment on trigger availabilities_within_horizon on parking.availabilities is
  E'@field end_time\n@de So weit im Voraus darf nicht geteilt werden.\nThe window ends further ahead than the building allows';
