alter table parking.patterns
  drop constraint if exists patterns_weekdays_are_known,
  add constraint patterns_weekdays_are_known
    check (private.are_weekdays(weekdays));

comment on constraint patterns_weekdays_are_known on parking.patterns is
  E'@field weekdays\n@de Wählen Sie einen oder mehrere Wochentage.\nweekdays must be one or more different days of MO, TU, WE, TH, FR, SA and SU';
