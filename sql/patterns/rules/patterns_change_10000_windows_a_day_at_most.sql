create or replace trigger patterns_changed_500_times_a_day_at_most
  after insert or update of weekdays, starts_at, ends_at, first_day, last_day on parking.patterns
  for each row
  when (row_security_active('parking.patterns')) -- binds people, not the owner of the table
  execute function private.enforce_few_changes('500');

comment on trigger patterns_changed_500_times_a_day_at_most on parking.patterns is
  E'@status 409\nYou have created or changed patterns 500 times today; try again tomorrow';
