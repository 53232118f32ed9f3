create or replace trigger exceptions_change_5000_windows_a_day_at_most
  after insert on parking.exceptions
  for each row
  execute function private.enforce_few_changed_windows('5000');

comment on trigger exceptions_change_5000_windows_a_day_at_most on parking.exceptions is
  E'@status 409\nYour exceptions have changed 5000 windows today: try again tomorrow';
