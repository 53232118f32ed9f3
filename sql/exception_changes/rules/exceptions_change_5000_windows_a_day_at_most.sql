create or replace trigger exceptions_change_5000_windows_a_day_at_most
  after insert on private.exception_changes
  referencing new table as added
  for each statement
  execute function private.enforce_few_a_day('5000');

comment on trigger exceptions_change_5000_windows_a_day_at_most on private.exception_changes is
  E'@status 409\nYour exceptions have changed 5000 windows today: try again tomorrow';
