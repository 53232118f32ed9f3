alter table parking.patterns
  drop constraint if exists patterns_days_are_calendar_dates,
  add constraint patterns_days_are_calendar_dates
    check (
      first_day >= '0001-01-01'
      and greatest(first_day, last_day) < '10000-01-01'
    );

comment on constraint patterns_days_are_calendar_dates on parking.patterns is
  E'@de Das Jahr muss zwischen 1 und 9999 liegen.\nfirst_day and last_day must lie in the years 1 to 9999';
