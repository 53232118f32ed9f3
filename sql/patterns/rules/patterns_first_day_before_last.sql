alter table parking.patterns
  drop constraint if exists patterns_first_day_before_last,
  add constraint patterns_first_day_before_last
    check (first_day <= last_day);

comment on constraint patterns_first_day_before_last on parking.patterns is
  E'@field last_day\n@de Der letzte Tag darf nicht vor dem ersten liegen.\nlast_day must not be before first_day';
