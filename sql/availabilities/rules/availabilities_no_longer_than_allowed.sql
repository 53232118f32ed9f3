create or replace trigger availabilities_no_longer_than_allowed
  after insert or update of start_time, end_time on parking.availabilities
  for each row
  when (
    row_security_active('parking.availabilities') -- binds people, not the owner of the table
    and new.end_time
      > private.days_after(new.start_time, (private.limits_of(new.spot_id)).longest_window_days)
  )
  execute function private.enforce_limit('length');

comment on trigger availabilities_no_longer_than_allowed on parking.availabilities is
  E'@field end_time\n@de So lange darf ein Stellplatz nicht auf einmal geteilt werden.\nThe window is longer than the building allows';
