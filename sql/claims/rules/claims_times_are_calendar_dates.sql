alter table parking.claims
  drop constraint if exists claims_times_are_calendar_dates,
  add constraint claims_times_are_calendar_dates
    check (start_time >= '0001-01-01T00:00:00Z' and end_time < '10000-01-01T00:00:00Z');

comment on constraint claims_times_are_calendar_dates on parking.claims is
  E'@de Das Jahr muss zwischen 1 und 9999 liegen.\nstart_time and end_time must lie in the years 1 to 9999';
