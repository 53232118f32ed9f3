create or replace trigger exceptions_change_1000_windows_at_most
  after insert on parking.exceptions
  for each row
  execute function private.enforce_few_windows('1000');

comment on trigger exceptions_change_1000_windows_at_most on parking.exceptions is
  E'@status 409\n@de Das ändert mehr als 1000 geteilte Zeiten auf einmal. Wählen Sie einen kürzeren Zeitraum oder einen Stellplatz.\nThe exception would change more than 1000 windows: choose a shorter time or one spot';
