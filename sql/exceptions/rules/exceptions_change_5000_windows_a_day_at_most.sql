create or replace trigger exceptions_change_5000_windows_a_day_at_most
  after insert on parking.exceptions
  for each row
  execute function private.enforce_few_changed_windows('5000');

comment on trigger exceptions_change_5000_windows_a_day_at_most on parking.exceptions is
  E'@status 409\n@de So haben sich heute schon 5000 geteilte Zeiten geändert. Versuchen Sie es morgen wieder.\nYour exceptions have changed 5000 windows today: try again tomorrow';
