alter table parking.patterns
  drop constraint if exists patterns_times_are_of_a_day,
  add constraint patterns_times_are_of_a_day
    check (
      starts_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
      and ends_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
    );

comment on constraint patterns_times_are_of_a_day on parking.patterns is
  E'@de Die Uhrzeiten müssen zwischen 00:00 und 23:59 liegen.\nstarts_at and ends_at must be times from 00:00 to 23:59';
