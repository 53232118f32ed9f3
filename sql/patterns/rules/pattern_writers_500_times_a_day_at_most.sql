alter table private.pattern_writers
  drop constraint if exists pattern_writers_500_times_a_day_at_most,
  add constraint pattern_writers_500_times_a_day_at_most
    check (times <= 500);

comment on constraint pattern_writers_500_times_a_day_at_most on private.pattern_writers is
  E'@status 409\nYou have created or changed patterns 500 times today; try again tomorrow';
