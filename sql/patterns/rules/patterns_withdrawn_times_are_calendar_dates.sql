alter table parking.patterns
  drop constraint if exists patterns_withdrawn_times_are_calendar_dates,
  add constraint patterns_withdrawn_times_are_calendar_dates
    check (withdrawn <@ '{["0001-01-01 00:00:00+00","10000-01-01 00:00:00+00")}'::tstzmultirange);

comment on constraint patterns_withdrawn_times_are_calendar_dates on parking.patterns is
  'What is withdrawn must lie in the years 1 to 9999';
