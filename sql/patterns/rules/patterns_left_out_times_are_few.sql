alter table parking.patterns
  drop constraint if exists patterns_left_out_times_are_few,
  add constraint patterns_left_out_times_are_few
    check (cardinality(left_out_times) <= 1000);

comment on constraint patterns_left_out_times_are_few on parking.patterns is
  'A pattern leaves out at most 1000 times';
