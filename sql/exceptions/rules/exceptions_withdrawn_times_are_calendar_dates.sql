alter table parking.exceptions
  drop constraint if exists exceptions_withdrawn_times_are_calendar_dates,
  add constraint exceptions_withdrawn_times_are_calendar_dates
    check (withdrawn <@ '{["0001-01-01 00:00:00+00","10000-01-01 00:00:00+00")}'::tstzmultirange);

comment on constraint exceptions_withdrawn_times_are_calendar_dates on parking.exceptions is
  'What is withdrawn must lie in the years 1 to 9999';
