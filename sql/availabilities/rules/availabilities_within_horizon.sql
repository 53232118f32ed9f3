create or replace trigger availabilities_within_horizon
  after insert or update of start_time, end_time on parking.availabilities
  for each row
  execute function private.enforce_limit('horizon_days');

comment on trigger availabilities_within_horizon on parking.availabilities is
  E'@field end_time\n@de So weit im Voraus darf nicht geteilt werden.\nThe window ends further ahead than the building allows';
