-- Not a check: an older pattern that publishes nothing may stay.
create or replace trigger patterns_weekdays_fall_within_days
  before insert or update of weekdays, first_day, last_day on parking.patterns
  for each row
  when (
    private.are_weekdays(new.weekdays)
    and not private.fall_within(new.weekdays, new.first_day, new.last_day)
  )
  execute function private.enforce_rule();

comment on trigger patterns_weekdays_fall_within_days on parking.patterns is
  E'@field weekdays\n@de Keiner dieser Wochentage liegt zwischen dem ersten und dem letzten Tag.\nNone of the weekdays falls between first_day and last_day';
