create or replace trigger patterns_no_more_than_200
  after insert on parking.patterns
  for each row
  when (row_security_active('parking.patterns')) -- binds people, not the owner of the table
  execute function private.enforce_few('200', 'owner_id');

comment on trigger patterns_no_more_than_200 on parking.patterns is
  E'@status 409\n@de Sie teilen 200-mal jede Woche, so oft wie eine Person darf.\nYou have 200 patterns, as many as a resident may have';
