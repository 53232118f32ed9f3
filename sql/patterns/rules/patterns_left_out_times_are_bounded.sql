alter table parking.patterns
  drop constraint if exists patterns_left_out_times_are_bounded,
  add constraint patterns_left_out_times_are_bounded
    check (not lower_inf(left_out_times) and not upper_inf(left_out_times));

comment on constraint patterns_left_out_times_are_bounded on parking.patterns is
  'Times that a pattern leaves out have a start and an end';
