create or replace trigger availabilities_no_longer_than_allowed
  after insert or update of start_time, end_time on parking.availabilities
  for each row
  execute function private.enforce_limit('longest_window_days');

comment on trigger availabilities_no_longer_than_allowed on parking.availabilities is
  E'@field end_time\n@de So lange darf ein Stellplatz nicht auf einmal geteilt werden.\nThe window is longer than the building allows';
