create or replace trigger patterns_change_10000_windows_a_day_at_most
  after insert or update of weekdays, starts_at, ends_at, first_day, last_day on parking.patterns
  for each row
  when (row_security_active('parking.patterns')) -- binds people, not the owner of the table
  execute function private.enforce_few_changed_windows('10000');

comment on trigger patterns_change_10000_windows_a_day_at_most on parking.patterns is
  E'@status 409\n@de Ihre wöchentlichen Zeiten haben sich heute 10000-mal geändert. Versuchen Sie es morgen wieder.\nYour patterns have changed 10000 windows today: try again tomorrow';
